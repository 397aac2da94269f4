internal import Kernels

/// The distances by which a Vamana graph is built.
///
/// Links are thinned out by ratios of distances, so these are never negative: squared Euclidean ones, half of those
/// between unit vectors, and for inner products those of vectors with one more number that gives all the same length
/// (Bachrach et al., RecSys 2014), in which the greatest inner product is the nearest.
struct VamanaSpace: @unchecked Sendable {  // memory of rows, which never change during use
    let rows: VectorRows
    private let kernel: DistanceKernels.Rows
    private let offset: Float
    /// For inner products: the number that is added to each row, and half the square of the common length.
    private let extra: [Float]
    private let square: Float

    init(_ rows: VectorRows) {
        self.rows = rows
        kernel = DistanceKernels(rows.metric == .l2 ? .l2 : .dot).rows
        offset = rows.metric == .cosine ? 1 : 0
        guard rows.metric == .innerProduct else {
            (extra, square) = ([], 0)
            return
        }
        var squares = [Float](repeating: 0, count: rows.count)
        for slot in 0..<rows.count {
            let row = rows.row(slot)
            for column in 0..<rows.dimension { squares[slot] += row[column] * row[column] }
        }
        let largest = squares.max() ?? 0
        square = largest
        extra = squares.map { (largest - $0).squareRoot() }
    }

    /// Distances of the row in one slot to those in others.
    func distances(
        from slot: Int, to slots: UnsafePointer<UInt32>, count: Int, into distances: UnsafeMutablePointer<Float>
    ) {
        kernel(rows.row(slot), rows.base, rows.stride, rows.dimension, offset, slots, count, distances)
        guard !extra.isEmpty else { return }
        for place in 0..<count {
            distances[place] = max(0, square + distances[place] - extra[slot] * extra[Int(slots[place])])
        }
    }

    /// Distances of a query, in the metric of the rows.
    func distances(
        of query: UnsafePointer<Float>, to slots: UnsafePointer<UInt32>, count: Int,
        into distances: UnsafeMutablePointer<Float>
    ) {
        kernel(query, rows.base, rows.stride, rows.dimension, offset, slots, count, distances)
    }

    /// Returns the live slot nearest to the mean of the rows; `nil` if there are no live rows.
    func medoid() -> UInt32? {
        var mean = [Double](repeating: 0, count: rows.dimension)
        let step = max(1, rows.count / 65_536)
        for slot in stride(from: 0, to: rows.count, by: step) {
            let row = rows.row(slot)
            for column in mean.indices { mean[column] += Double(row[column]) }
        }
        let scale = 1 / Double(max(1, (rows.count + step - 1) / step))
        let center = mean.map { Float($0 * scale) }
        let kernel = DistanceKernels(.l2).rows
        var best: UInt32?
        var least = Float.infinity
        var distances = [Float](repeating: 0, count: 1024)
        for start in stride(from: 0, to: rows.count, by: 1024) {
            let count = min(1024, rows.count - start)
            kernel(center, rows.row(start), rows.stride, rows.dimension, 0, nil, count, &distances)
            for place in 0..<count where !(distances[place] >= least) && !rows.removed.contains(start + place) {
                (least, best) = (distances[place], UInt32(start + place))
            }
        }
        return best
    }
}
