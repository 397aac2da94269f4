internal import Kernels

/// The maxima of runs of a row, by which whole runs are passed over: a search for the few greatest of 128,000 numbers
/// reads the row once, and then hardly anything.
///
/// Level 1 holds sixteen maxima for each run of 256 numbers, each of those that lie 16 apart: no maximum ever crosses
/// lanes. Level 2 is made of level 1 in the same way.
struct BlockMaxima {
    private typealias Lanes = SIMD16<Float>
    private static let run = 256

    private let first: AlignedBuffer<Float>
    private let second: AlignedBuffer<Float>
    private var firstCount = 0
    private var secondCount = 0

    init(capacity: Int) throws(KernelError) {
        let runs = (capacity + Self.run - 1) / Self.run
        first = try AlignedBuffer(count: 16 * runs)
        second = try AlignedBuffer(count: 16 * ((16 * runs + Self.run - 1) / Self.run))
    }

    /// Computes the maxima of `row`.
    mutating func update(_ row: UnsafePointer<Float>, count: Int) {
        firstCount = Self.reduce(row, count: count, into: first.pointer)
        secondCount = Self.reduce(first.pointer, count: firstCount, into: second.pointer)
    }

    /// Computes 16 maxima for each full or partial run.
    private static func reduce(_ row: UnsafePointer<Float>, count: Int, into maxima: UnsafeMutablePointer<Float>) -> Int
    {
        let raw = UnsafeRawPointer(row)
        var results = 0
        var start = 0
        while start + run <= count {
            var most = raw.loadUnaligned(fromByteOffset: 4 * start, as: Lanes.self)
            for step in 1..<run / 16 {
                let next = raw.loadUnaligned(fromByteOffset: 4 * (start + 16 * step), as: Lanes.self)
                most.replace(with: next, where: next .> most)
            }
            UnsafeMutableRawPointer(maxima).storeBytes(of: most, toByteOffset: 4 * results, as: Lanes.self)
            results += 16
            start += run
        }
        guard start < count else { return results }
        for lane in 0..<16 {
            var most = -Float.infinity
            for index in stride(from: start + lane, to: count, by: 16) { most = max(most, row[index]) }
            maxima[results + lane] = most
        }
        return results + 16
    }

    /// The greatest number of the row.
    var greatest: Float { (0..<secondCount).reduce(-.infinity) { max($0, second.pointer[$1]) } }

    /// Returns a threshold that at least `count` and not many more numbers reach; `nil` if there are too few blocks.
    func reached(by count: Int) -> Float? {
        for (maxima, available) in [(second, secondCount), (first, firstCount)] where 2 * count <= available {
            var copy = Array(UnsafeBufferPointer(start: maxima.pointer, count: available))
            return Selection.greatest(count, of: &copy)
        }
        return nil
    }

    /// Calls `body` for each index of `row` whose number reaches `threshold`, in order.
    func forEach(
        reaching threshold: Float, in row: UnsafePointer<Float>, count: Int, _ body: (Int) -> Void
    ) {
        let raw = UnsafeRawPointer(first.pointer)
        var start = 0
        while start < count {
            let most = raw.load(fromByteOffset: 4 * (start / Self.run * 16), as: Lanes.self)
            if any(most .>= threshold) {
                for index in start..<min(start + Self.run, count) where row[index] >= threshold { body(index) }
            }
            start += Self.run
        }
    }
}
