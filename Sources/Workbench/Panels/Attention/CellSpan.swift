package import Console

/// Weights behind one cell of a pattern, and how they are reduced to one number.
package struct CellSpan: Hashable, Sendable {
    package var queries: Int
    package var keys: Int
    package var pooling: HeatGrid.Pooling
    package var isWeighted: Bool

    /// Returns the weights behind a cell of the screen, such as `mean of 11 × 7`.
    func span(of grid: HeatGrid, drawnIn rows: Int, _ columns: Int) -> String {
        let high = max(1, (grid.rows + max(1, rows) - 1) / max(1, rows)) * queries
        let wide = max(1, (grid.columns + max(1, columns) - 1) / max(1, columns)) * keys
        return high * wide == 1 ? "1 weight per cell" : "\(pooling.rawValue) of \(high) × \(wide)"
    }

    package init(queries: Int, keys: Int, pooling: HeatGrid.Pooling = HeatGrid.Pooling.max, isWeighted: Bool = false) {
        self.queries = queries
        self.keys = keys
        self.pooling = pooling
        self.isWeighted = isWeighted
    }

    /// Text such as `1 cell = 64 × 64, max`.
    package var text: String {
        let weighted = isWeighted ? ", by |v|" : ""
        if queries == 1, keys == 1 { return "1 cell = 1 weight" + weighted }
        return "1 cell = \(queries) × \(keys), \(pooling.rawValue)\(weighted)"
    }

    /// Returns the text for a screen that has fewer cells than the grid.
    package func text(of grid: HeatGrid, drawnIn rows: Int, _ columns: Int) -> String {
        guard rows > 0, columns > 0, grid.rows > rows || grid.columns > columns else { return text }
        let high = (grid.rows + rows - 1) / rows * queries
        let wide = (grid.columns + columns - 1) / columns * keys
        // Cells on the diagonal have fewer pairs, but count as much as others in a mean of means.
        let isExact = queries == 1 && keys == 1
        let how = pooling == .max ? "max" : isExact ? "mean" : "mean of means"
        return "1 cell = up to \(high) × \(wide), \(how)" + (isWeighted ? ", by |v|" : "")
    }
}
