internal import Kernels

/// Several queries against all rows by matrix products.
///
/// |q − x|² = |q|² − 2 q·x + |x|²: products of blocks of rows with all queries give distances with an error that is
/// known; a few more than `k` are kept by them and computed again as a scan of one query would. Where the error could
/// have hidden a neighbor, the query is scanned alone.
struct BatchedScan {
    static let mostQueries = 128
    private static let block = 512
    /// Number of extra candidates beyond k, so that rounding seldom matters.
    private static let more = 16

    let rows: VectorRows
    let queries: UnsafePointer<Float>
    let count: Int
    let request: VectorRequest
    private var kept: Int { min(request.k + Self.more, rows.count) }

    /// - Parameter queries: Prepared, `[count, dimension]`.
    init(_ rows: VectorRows, _ queries: UnsafePointer<Float>, count: Int, _ request: VectorRequest) {
        self.rows = rows
        self.queries = queries
        self.count = count
        self.request = request
    }

    /// Returns the nearest neighbors of each query; `nil` if there is not enough memory for the products.
    func neighbors() -> [[Neighbor]]? {
        let dimension = rows.dimension
        let transposed = MatrixView(queries, rows: count, columns: dimension).transposed
        guard let packed = try? PackedMatrix(transposed, pool: .single),
            let products = try? AlignedBuffer<Float>(count: Self.block * count),
            let norms = try? AlignedBuffer<Float>(count: Self.block),
            let positions = try? AlignedBuffer<UInt32>(count: count + 1),
            let bounds = try? AlignedBuffer<Float>(count: count)
        else { return nil }
        let factor: Float = rows.metric == .l2 ? -2 : -1
        for query in 0..<count { bounds.pointer[query] = .infinity }
        // Slots stand where labels will: both break ties.
        var tops = (0..<count).map { _ in TopNeighbors(k: kept) }
        var largest: Float = 0
        let removed = rows.removed
        let anyExcluded = removed.count > 0 || request.allowed != nil
        for first in stride(from: 0, to: rows.count, by: Self.block) {
            let size = min(Self.block, rows.count - first)
            let view = MatrixView(rows.row(first), rows: size, columns: dimension, rowStride: rows.stride)
            let output = MutableMatrixView(products.pointer, rows: size, columns: count)
            guard (try? MatrixProduct.multiply(view, packed, into: output, pool: .single)) != nil else { return nil }
            squares(first, size, into: norms.pointer)
            for row in 0..<size {
                let slot = first + row
                largest = max(largest, norms.pointer[row])
                if anyExcluded, removed.contains(slot) || request.allowed?.contains(slot) == false { continue }
                let start = rows.metric == .l2 ? norms.pointer[row] : 0
                let line = products.pointer + row * count
                let near = NearPositions.find(
                    inProducts: line, count: count, start: start, factor: factor, below: bounds.pointer,
                    into: positions.pointer)
                for at in 0..<near {
                    let query = Int(positions.pointer[at])
                    tops[query].insert(Int64(slot), start + factor * line[query])
                    bounds.pointer[query] = tops[query].bound
                }
            }
        }
        return (0..<count).map { exact(tops[$0], query: queries + $0 * dimension, largest: largest) }
    }

    private func squares(_ first: Int, _ size: Int, into norms: UnsafeMutablePointer<Float>) {
        let kernels = DistanceKernels(.dot)
        for row in 0..<size {
            let vector = rows.row(first + row)
            kernels.rows(vector, vector, rows.stride, rows.dimension, 0, nil, 1, norms + row)
            norms[row] = -norms[row]
        }
    }

    /// Computes the distances of the kept candidates again, or of all vectors if one that was not kept could be nearer.
    private func exact(_ kept: TopNeighbors, query: UnsafePointer<Float>, largest: Float) -> [Neighbor] {
        var top = TopNeighbors(k: request.k)
        var distance: Float = 0
        for entry in kept.sorted {
            rows.distances(to: query, from: Int(entry.label), count: 1, into: &distance)
            top.insert(rows.labels[Int(entry.label)], distance)
        }
        guard kept.count == kept.k, kept.k < rows.count else { return top.sorted }
        var square: Float = 0
        DistanceKernels(.dot).rows(query, query, rows.dimension, rows.dimension, 0, nil, 1, &square)
        square = -square
        // Sums of up to `dimension` rounded terms on both ways, of at most (|q| + |x|)² in size.
        let size = 2 * (square + largest)
        let units = Float(rows.dimension) / 8 + 32
        let slack = units * 0x1p-24 * size
        let origin = rows.metric == .l2 ? square : rows.offset
        if kept.bound + origin - slack > top.bound { return top.sorted }
        return FlatIndex(rows).scan(query, k: request.k, allowed: request.allowed)
    }
}
