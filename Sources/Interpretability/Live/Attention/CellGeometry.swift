/// How a region is cut into cells: each of whole kept cells, or of weights.
struct CellGeometry: Sendable {
    var queries: Range<Int>
    var keys: Range<Int>
    var queriesPerCell: Int
    var keysPerCell: Int
    /// Queries and keys of the kept cells that are read; 1 for weights.
    var side: Int

    var rows: Int { (queries.count + queriesPerCell - 1) / queriesPerCell }
    var columns: Int { (keys.count + keysPerCell - 1) / keysPerCell }

    /// - Parameters:
    ///   - rows: Maximum number of cells.
    ///   - length: Number of tokens.
    init(_ queries: Range<Int>, _ keys: Range<Int>, rows: Int, columns: Int, side: Int, length: Int) {
        self.side = side
        (self.queries, queriesPerCell) = Self.cut(queries, most: rows, side: side, length: length)
        (self.keys, keysPerCell) = Self.cut(keys, most: columns, side: side, length: length)
    }

    private static func cut(_ range: Range<Int>, most: Int, side: Int, length: Int) -> (Range<Int>, Int) {
        let range = range.clamped(to: 0..<length)
        let first = range.lowerBound / side * side
        let end = min(length, (range.upperBound + side - 1) / side * side)
        let kept = (max(end, first) - first + side - 1) / side
        return (first..<max(end, first), max(1, (kept + max(most, 1) - 1) / max(most, 1)) * side)
    }

    func queries(ofRow row: Int) -> Range<Int> {
        let first = queries.lowerBound + row * queriesPerCell
        return first..<min(first + queriesPerCell, queries.upperBound)
    }

    func keys(ofColumn column: Int) -> Range<Int> {
        let first = keys.lowerBound + column * keysPerCell
        return first..<min(first + keysPerCell, keys.upperBound)
    }
}
