internal import Kernels

/// The nearest of the vectors that were offered, at most `capacity`, nearest first; ties by label.
struct NearestSlots {
    private let capacity: Int
    private(set) var neighbors: [Neighbor] = []
    /// What is not nearer than this need not be offered.
    private(set) var bound: Float = .infinity

    init(_ capacity: Int) {
        self.capacity = max(1, capacity)
        neighbors.reserveCapacity(min(self.capacity, 1024) + 1)
    }

    mutating func insert(_ distance: Float, _ slot: UInt32, _ label: Int64) {
        let neighbor = Neighbor(label: label, distance: distance)
        if neighbors.count == capacity, let last = neighbors.last {
            guard neighbor < last else { return }
            neighbors.removeLast()
        }
        var (low, high) = (0, neighbors.count)
        while low < high {
            let middle = (low + high) / 2
            if neighbors[middle] < neighbor { low = middle + 1 } else { high = middle }
        }
        neighbors.insert(neighbor, at: low)
        // Equally near ones with a smaller label still come in.
        if neighbors.count == capacity { bound = neighbors[capacity - 1].distance.nextUp }
    }
}

/// A query as the rows of a metric are compared with it.
struct PreparedQuery {
    let numbers: [Float]

    /// - Throws: `SegmentError` where a number is not finite, and for zeros under a cosine.
    init(_ query: UnsafePointer<Float>, _ dimension: Int, _ metric: Metric) throws(SegmentError) {
        var numbers = Array(UnsafeBufferPointer(start: query, count: dimension))
        let square = numbers.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard square.isFinite else {
            throw SegmentError("query", problem: "a number in it is not finite", remedy: "Ask for another vector.")
        }
        if metric == .cosine {
            guard square > 0 else {
                throw SegmentError("query", problem: "zeros have no direction", remedy: "Ask for another vector.")
            }
            let scale = 1 / square.squareRoot()
            for column in numbers.indices { numbers[column] = Float(Double(numbers[column]) * scale) }
        }
        self.numbers = numbers
    }
}

/// Distances from a query to rows, in the metric of the rows.
struct QueryDistances {
    private let rows: VectorRows
    private let kernel: DistanceKernels.Rows
    private let offset: Float

    init(_ rows: VectorRows) {
        self.rows = rows
        kernel = DistanceKernels(rows.metric == .l2 ? .l2 : .dot).rows
        offset = rows.metric == .cosine ? 1 : 0
    }

    @inline(__always)
    func callAsFunction(
        _ query: UnsafePointer<Float>, _ slots: UnsafePointer<UInt32>, _ count: Int,
        _ distances: UnsafeMutablePointer<Float>
    ) {
        kernel(query, rows.base, rows.stride, rows.dimension, offset, slots, count, distances)
    }
}
