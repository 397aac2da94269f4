internal import Glibc
internal import Kernels

/// Hashes that near vectors share: for each table some directions, and a number of each vector along each of them.
///
/// Under L2 the number is ⌊(a·x + b) / w⌋ with normal directions a; otherwise it is the side of a plane through the
/// mean on which the vector is. A key is the sum of the numbers times odd factors, modulo 2³²; a step along one
/// direction adds or takes away its factor.
///
/// - Source: Datar, Immorlica, Indyk and Mirrokni, "Locality-sensitive hashing scheme based on p-stable distributions",
///   2004; Charikar, "Similarity estimation techniques from rounding algorithms", 2002.
final class HashFamily: Sendable {
    let tables: Int
    /// Directions of a table.
    let directions: Int
    /// w under L2, 0 for planes.
    let width: Float
    /// Vectors for which it was made.
    let count: Int
    private let panels: CenterPanels
    private let offsets: [Float]
    let factors: [UInt32]

    /// - Parameters:
    ///   - count: Vectors for which buckets get a good size.
    ///   - center: Their mean.
    ///   - spread: Their standard deviation along a direction.
    init(
        rows: VectorRows, tables: Int, directions: Int, count: Int, center: [Float], spread: Float, seed: UInt64
    ) throws(SegmentError) {
        self.tables = tables
        self.directions = directions
        self.count = count
        width = rows.metric == .l2 ? spread : 0
        var random = TrainingRandomness(seed: seed)
        let dimension = rows.dimension
        var (numbers, offsets, factors): ([Float], [Float], [UInt32]) = ([], [], [])
        numbers.reserveCapacity(tables * directions * dimension)
        for _ in 0..<tables {
            for bit in 0..<directions {
                var shift: Double = 0
                for column in 0..<dimension {
                    let number = Float(random.normal())
                    numbers.append(number)
                    shift += Double(number) * Double(center[column])
                }
                offsets.append(Float(Double(width) * random.fraction() - shift))
                factors.append(width == 0 ? 1 << UInt32(bit) : UInt32(truncatingIfNeeded: random.next()) | 1)
            }
        }
        self.offsets = offsets
        self.factors = factors
        panels = try InMemory.panels(numbers, count: tables * directions, dimension: dimension, isInnerProduct: true)
    }

    /// Floats that ``keys(of:along:_:)`` writes.
    var paddedCount: Int { panels.paddedCount }

    /// Returns the keys of a vector, one per table.
    ///
    /// - Parameters:
    ///   - along: `[paddedCount]`; gets where within its step, 0 to 1, a vector lies along each direction, or how far
    ///     from its plane.
    ///   - key: Called with each table and its key.
    func keys(of x: UnsafePointer<Float>, along: UnsafeMutablePointer<Float>, _ key: (Int, UInt32) -> Void) {
        panels.products(of: x, factor: 1, into: along)
        for table in 0..<tables {
            var sum: UInt32 = 0
            for place in table * directions..<(table + 1) * directions {
                let value = along[place] + offsets[place]
                if width == 0 {
                    along[place] = value
                    if value > 0 { sum &+= factors[place] }
                } else {
                    let steps = (value / width).rounded(.down)
                    along[place] = value / width - steps
                    // Beyond a thousand million steps all vectors are in one bucket.
                    let number = steps.isFinite ? Int32(max(-0x1p30, min(0x1p30, steps))) : 0
                    sum &+= UInt32(bitPattern: number) &* factors[place]
                }
            }
            key(table, sum)
        }
    }

    /// The steps to buckets beside that of a vector: what they add to its key, and how far off they are, squared.
    func steps(table: Int, along: UnsafePointer<Float>, into steps: inout [HashStep]) {
        steps.removeAll(keepingCapacity: true)
        for place in table * directions..<(table + 1) * directions {
            let value = along[place]
            if width == 0 {
                let factor = value > 0 ? 0 &- factors[place] : factors[place]
                steps.append(HashStep(added: factor, distance: value * value, place: place))
            } else {
                steps.append(HashStep(added: 0 &- factors[place], distance: value * value, place: place))
                steps.append(HashStep(added: factors[place], distance: (1 - value) * (1 - value), place: place))
            }
        }
        steps.sort { ($0.distance, $0.place, $0.added) < ($1.distance, $1.place, $1.added) }
    }
}

/// A step to a neighboring bucket along one direction.
struct HashStep {
    var added: UInt32
    var distance: Float
    var place: Int
}
