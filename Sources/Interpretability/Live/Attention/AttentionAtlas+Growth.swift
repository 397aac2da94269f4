internal import Kernels
internal import System

extension AttentionAtlas {
    /// Releases the oldest exact weights until more fit; returns `false` if they do not fit alone.
    mutating func makeRoomForWeights(_ bytes: Int, within budget: Int) -> Bool {
        guard bytes <= budget else { return false }
        var held = blocks.reduce(0) { $0 + ($1.block.weights?.byteCount ?? 0) }
        for index in blocks.indices where held + bytes > budget {
            held -= blocks[index].block.weights?.byteCount ?? 0
            if blocks[index].block.weights != nil { blocks[index].block = blocks[index].block.withoutWeights() }
        }
        return true
    }

    /// The same for queries.
    mutating func makeRoomForQueries(_ bytes: Int, within budget: Int) -> Bool {
        guard bytes <= budget else { return false }
        var held = blocks.reduce(0) { $0 + ($1.block.queries?.byteCount ?? 0) }
        for index in blocks.indices where held + bytes > budget {
            held -= blocks[index].block.queries?.byteCount ?? 0
            if blocks[index].block.queries != nil { blocks[index].block = blocks[index].block.withoutQueries() }
        }
        return true
    }

    /// Drops the finest cells if all sizes together exceed the budget; the coarsest stay.
    mutating func dropFinestLevels(tokens: Int, within budget: Int) {
        while levels.count > 1,
            levels.reduce(0, { $0 + CellLevel.byteCount(layout, side: $1.side, tokens: tokens) }) > budget
        {
            levels.removeFirst()
        }
    }

    /// Adds one query of a layer's head (`unit`) to the cells of every size.
    ///
    /// - Parameter cells: Buffer for the query's cells in the finest size.
    static func add(
        _ weights: UnsafePointer<Float>, norms: UnsafePointer<Float>, query: Int, unit: Int, to levels: [CellLevel],
        cells: UnsafeMutablePointer<Float>
    ) {
        var columns = query / levels[0].side + 1
        CellReduction.reduce(
            weights, norms: norms, count: query + 1, side: levels[0].side, into: cells, columns: columns)
        for (index, level) in levels.enumerated() {
            if index > 0 { columns = CellReduction.halve(cells, columns: columns) }
            let row = level.rows[query / level.side]
            CellReduction.merge(cells, columns: columns, into: row.head(unit), rowColumns: row.columns)
        }
    }
}

extension CellLevel {
    /// Makes room for tokens up to `end`; the row that is begun is copied, since a snapshot may show it.
    mutating func grow(_ layout: AttentionLayout, from first: Int, to end: Int) throws(Problem) {
        if first % side != 0, let last = rows.indices.last { rows[last] = try CellRow(copying: rows[last]) }
        while rows.count * side < end { rows.append(try CellRow(layout, columns: rows.count + 1)) }
    }
}
