internal import Kernels
internal import System

extension AttentionAtlas {
    /// Returns the weights of one query of a layer's head, or `nil` if they are no longer known.
    typealias RowSource = (_ query: Int, _ layer: Int, _ head: Int) throws(Problem) -> [Float]?

    /// The atlas as it was after `length` tokens.
    ///
    /// Rows of cells that `length` cuts are made again: the finest from the weights of their queries, which `row`
    /// tells, and the coarser ones from the finer. Where a weight is not known any more, the cut is at the whole row
    /// before.
    /// Head scores go back to what their checkpoint and the whole weights since then say.
    ///
    /// - Returns: The atlas, whose length may be less by up to a cell's side.
    func cut(
        to length: Int, occurrences: (Int) -> [Int32], row: RowSource
    ) throws(Problem) -> AttentionAtlas {
        guard length < self.length else { return self }
        var atlas = self
        let side = levels[0].side
        var length = max(0, length)
        let begun = length / side * side
        var partial: CellRow?
        if begun < length {
            partial = try finestRow(queries: begun..<length, row)
            if partial == nil { length = begun }
        }
        atlas.length = length
        while let last = atlas.blocks.last, last.end > length {
            atlas.blocks[atlas.blocks.count - 1].count = length - last.block.first
            if length <= last.block.first { atlas.blocks.removeLast() }
        }
        for index in atlas.levels.indices {
            let side = atlas.levels[index].side
            atlas.levels[index].rows.removeSubrange((length / side)...)
            guard length % side != 0 else { continue }
            if index == 0 {
                if let partial { atlas.levels[0].rows.append(partial) }
            } else {
                try atlas.appendMergedRow(level: index)
            }
        }
        atlas.cutScores(occurrences: occurrences)
        return atlas
    }

    /// The begun row of the finest cells.
    private func finestRow(queries: Range<Int>, _ source: RowSource) throws(Problem) -> CellRow? {
        let side = levels[0].side
        let result = try CellRow(layout, columns: queries.lowerBound / side + 1)
        var cells = [Float](repeating: 0, count: CellRow.measures * result.columns)
        for layer in 0..<layers {
            for head in 0..<heads {
                let norms = valueNorms(layer: layer, head: head, count: queries.upperBound)
                for query in queries {
                    guard let weights = try source(query, layer, head) else { return nil }
                    cells.withUnsafeMutableBufferPointer { cells in
                        guard let cells = cells.baseAddress else { return }
                        CellReduction.reduce(
                            weights, norms: norms, count: query + 1, side: side, into: cells, columns: result.columns)
                        CellReduction.merge(
                            cells, columns: result.columns, into: result.head(layer * heads + head),
                            rowColumns: result.columns)
                    }
                }
            }
        }
        return result
    }

    /// The begun row of a level, from the one or two rows of the finer level that it holds.
    private mutating func appendMergedRow(level: Int) throws(Problem) {
        let finer = levels[level - 1].rows
        let index = levels[level].rows.count
        let row = try CellRow(layout, columns: index + 1)
        var cells: [Float] = []
        for child in finer[(2 * index)...] {
            for unit in 0..<layers * heads {
                cells = Array(
                    UnsafeBufferPointer(start: child.head(unit), count: CellRow.measures * child.columns))
                cells.withUnsafeMutableBufferPointer { cells in
                    guard let cells = cells.baseAddress else { return }
                    let columns = CellReduction.halve(cells, columns: child.columns)
                    CellReduction.merge(cells, columns: columns, into: row.head(unit), rowColumns: row.columns)
                }
            }
        }
        levels[level].rows.append(row)
    }

    /// ‖v‖ of the first tokens.
    func valueNorms(layer: Int, head: Int, count: Int) -> [Float] {
        var norms: [Float] = []
        norms.reserveCapacity(count)
        for entry in blocks {
            for index in 0..<min(entry.count, count - norms.count) {
                norms.append(entry.block.valueNorm(index, layer: layer, head: head))
            }
            if norms.count == count { break }
        }
        return norms
    }

    private mutating func cutScores(occurrences: (Int) -> [Int32]) {
        let checkpoint = checkpoints.last { $0.length <= length }
        checkpoints.removeAll { $0.length > length }
        scores = checkpoint?.scores ?? StreamedHeadScores(layers: layers, heads: heads)
        for query in (checkpoint?.length ?? 0)..<length {
            guard let (block, index) = place(of: query), let kept = block.weights else { continue }
            let before = occurrences(query)
            var scores = scores
            scores.count(position: query, earlier: before)
            scores.sums.withUnsafeMutableBufferPointer { sums in
                guard let sums = sums.baseAddress else { return }
                for unit in 0..<layers * heads {
                    let start = block.weightStart(index, layer: unit / heads, head: unit % heads)
                    StreamedHeadScores.add(
                        kept.pointer + start, query: query, earlier: before, unit: unit, units: layers * heads,
                        to: sums)
                }
            }
            self.scores = scores
        }
    }
}
