/// The divisors of a layer's gathered cells: the pairs of a mean, and NaN if every pair is hidden.
struct CellDivisors: Sendable {
    private let divisors: [Float]

    /// Creates divisors; `nil` if none are needed, for the maximum weights of a layer without a window, whose hidden
    /// cells were never filled.
    init?(_ geometry: CellGeometry, _ layout: AttentionLayout, layer: Int, _ measure: AttentionMeasure) {
        guard measure == .mean || layout.windows[layer] != nil else { return nil }
        var divisors: [Float] = []
        divisors.reserveCapacity(geometry.rows * geometry.columns)
        for row in 0..<geometry.rows {
            let queries = geometry.queries(ofRow: row)
            for column in 0..<geometry.columns {
                let pairs = layout.visiblePairs(
                    layer: layer, queries: queries, keys: geometry.keys(ofColumn: column))
                divisors.append(pairs == 0 ? .nan : measure == .mean ? Float(pairs) : 1)
            }
        }
        self.divisors = divisors
    }

    /// - Parameter cells: Cells, one per divisor.
    func divide(_ cells: UnsafeMutableBufferPointer<Float>) {
        divisors.withUnsafeBufferPointer { divisors in
            for index in 0..<min(cells.count, divisors.count) { cells[index] /= divisors[index] }
        }
    }
}
