package import Kernels

/// Vectors of one width under labels, one after the other in memory: what every vector index searches.
///
/// A vector has a slot, counted from 0 in the order in which it came, and keeps it. A removed vector leaves its slot
/// marked; a label that is added again gets a new slot. Rows of a cosine are kept with length 1.
///
/// Reading from several threads is safe while nothing is added or removed.
public final class VectorRows: @unchecked Sendable {  // memory is never written during reads
    public let dimension: Int
    public let metric: Metric
    /// Floats from one row to the next: the dimension, rounded up so that rows start at multiples of 64 bytes where
    /// that costs less than a hundredth.
    public let stride: Int
    /// Slots in use, those of removed vectors included.
    public internal(set) var count = 0
    /// Slots whose vectors were removed.
    public internal(set) var removed = SlotSet()
    /// The label of each slot.
    public internal(set) var labels: [Int64] = []
    var table = LabelTable()
    let memory: MappedMemory<Float>
    /// Kernels for the distances of this metric.
    package let kernels: DistanceKernels
    /// Which blocks a store has not, or not as they are.
    var unsaved = UnsavedBlocks()

    /// The most slots there can be.
    public static let maximumCount = Int(UInt32.max >> 1)
    /// The widest vector.
    public static let maximumDimension = 65_536

    /// - Throws: `SegmentError` if the dimension is out of range or there is no address space.
    public init(dimension: Int, metric: Metric) throws(SegmentError) {
        guard (1...Self.maximumDimension).contains(dimension) else {
            throw SegmentError(
                "vectors", problem: "dimension \(dimension) is out of range",
                remedy: "Use 1 to \(Self.maximumDimension).")
        }
        self.dimension = dimension
        self.metric = metric
        let padded = (dimension + 15) / 16 * 16
        stride = (padded - dimension) * 100 <= dimension ? padded : dimension
        memory = try MappedMemory(capacity: Self.maximumCount * stride, of: "vectors")
        kernels = DistanceKernels(metric == .l2 ? .l2 : .dot)
    }

    /// The first number of the row in slot 0.
    public var base: UnsafePointer<Float> { UnsafePointer(memory.start) }

    /// Returns the row in a slot: `[dimension]`.
    public func row(_ slot: Int) -> UnsafePointer<Float> { base + slot * stride }

    /// Number of vectors, without removed ones.
    public var liveCount: Int { count - removed.count }

    /// Returns the slot of the vector that is under a label now.
    public func slot(of label: Int64) -> Int? { table.slot(of: label, in: labels) }

    /// Adds a vector and returns its slot. A vector that was under the label is removed.
    ///
    /// - Throws: `SegmentError` where a number is not finite, for a vector without direction under a cosine, and where
    ///   there is no room.
    @discardableResult
    public func append(_ vector: UnsafePointer<Float>, label: Int64) throws(SegmentError) -> Int {
        guard count < Self.maximumCount, (count + 1) * stride <= memory.capacity else {
            throw .memory("vectors", bytes: (count + 1) * stride * 4)
        }
        let row = memory.start + count * stride
        var square: Double = 0
        for column in 0..<dimension {
            let value = vector[column]
            square += Double(value) * Double(value)
            row[column] = value
        }
        guard square.isFinite else {
            throw SegmentError(
                "vector \(label)", problem: "a number is not finite",
                remedy: "Remove the vector.")
        }
        if metric == .cosine {
            guard square > 0 else {
                throw SegmentError(
                    "vector \(label)", problem: "a zero vector has no direction", remedy: "Remove the vector.")
            }
            let scale = 1 / square.squareRoot()
            for column in 0..<dimension { row[column] = Float(Double(row[column]) * scale) }
        }
        if let old = table.remove(label, in: labels) { removed.insert(old) }
        labels.append(label)
        table.insert(label, slot: count, labels: labels)
        count += 1
        return count - 1
    }

    /// Gives back memory that was taken ahead; more can be added all the same.
    package func trim() { memory.trim(used: count * stride) }

    /// Removes the vector under a label; its slot stays.
    ///
    /// - Returns: The slot; `nil` if there is no such label.
    @discardableResult
    public func remove(_ label: Int64) -> Int? {
        guard let slot = table.remove(label, in: labels) else { return nil }
        removed.insert(slot)
        return slot
    }
}
