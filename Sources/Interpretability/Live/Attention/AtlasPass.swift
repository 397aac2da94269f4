internal import Kernels
internal import System
internal import Tokenizers

/// Builds the atlas of a pass while the previous atlas stays valid.
final class AtlasPass {
    private(set) var atlas: AttentionAtlas
    private let block: AttentionBlock
    /// Earlier positions of each token of the pass.
    private let occurrences: [[Int32]]
    private let history: ValueNormHistory

    /// - Parameters:
    ///   - occurrences: Earlier positions of each token of the pass.
    ///   - history: ‖v‖ of all tokens before; those of the pass are added to it.
    init(
        _ atlas: AttentionAtlas, occurrences: [[Int32]], history: ValueNormHistory, options: RunOptions
    ) throws(Problem) {
        var atlas = atlas
        let (first, count) = (atlas.length, occurrences.count)
        let weightBytes = 4 * AttentionBlock.weightCount(atlas.layout, first: first, count: count)
        let queryBytes = 4 * count * atlas.layout.layers * atlas.layout.heads * atlas.layout.keyWidth
        block = try AttentionBlock(
            atlas.layout, first: first, count: count,
            keepsWeights: atlas.makeRoomForWeights(weightBytes, within: options.exactBudget),
            keepsQueries: atlas.makeRoomForQueries(queryBytes, within: options.queryBudget))
        atlas.dropFinestLevels(tokens: first + count, within: options.cellBudget)
        for index in atlas.levels.indices {
            try atlas.levels[index].grow(atlas.layout, from: first, to: first + count)
        }
        for (index, before) in occurrences.enumerated() {
            atlas.scores.count(position: first + index, earlier: before)
        }
        self.atlas = atlas
        self.occurrences = occurrences
        self.history = history
        history.cut(to: first)
    }

    /// `[count, kvHeads, width]` of the hook `value`.
    func visitValues(layer: Int, _ values: UnsafePointer<Float>, width: Int) {
        let heads = atlas.layout.kvHeads
        for index in 0..<block.count {
            for head in 0..<heads {
                let value = values + (index * heads + head) * width
                var square: Float = 0
                for number in 0..<width { square += value[number] * value[number] }
                let norm = square.squareRoot()
                block.valueNorms.pointer[(index * atlas.layers + layer) * heads + head] = norm
                history.append(norm, layer: layer, head: head)
            }
        }
    }

    /// `[count, heads, keyWidth]` of the queries that meet the keys.
    func visitQueries(layer: Int, _ queries: UnsafePointer<Float>) {
        guard let kept = block.queries else { return }
        let width = atlas.heads * atlas.layout.keyWidth
        for index in 0..<block.count {
            (kept.pointer + (index * atlas.layers + layer) * width).update(from: queries + index * width, count: width)
        }
    }

    /// `[heads, count, keys]` of the hook `pattern`.
    func visitPattern(layer: Int, _ pattern: UnsafePointer<Float>, keys: Int, pool: ThreadPool) {
        let (block, count, layout) = (block, block.count, atlas.layout)
        let (levels, occurrences, history) = (atlas.levels, occurrences, history)
        let columns = (block.first + count - 1) / levels[0].side + 1
        atlas.scores.sums.withUnsafeMutableBufferPointer { sums in
            guard let sums = sums.baseAddress else { return }
            nonisolated(unsafe) let target = sums
            pool.run(chunks: layout.heads) { head, _ in
                let norms = history.norms(layer: layer, head: layout.kvHead(head))
                withUnsafeTemporaryAllocation(of: Float.self, capacity: CellRow.measures * columns) { scratch in
                    guard let cells = scratch.baseAddress else { return }
                    norms.withUnsafeBufferPointer { norms in
                        guard let norms = norms.baseAddress else { return }
                        for index in 0..<count {
                            let weights = pattern + (head * count + index) * keys
                            Self.note(weights, index, layer: layer, head: head, in: block)
                            AttentionAtlas.add(
                                weights, norms: norms, query: block.first + index,
                                unit: layer * layout.heads + head, to: levels, cells: cells)
                            StreamedHeadScores.add(
                                weights, query: block.first + index, earlier: occurrences[index],
                                unit: layer * layout.heads + head, units: layout.layers * layout.heads, to: target)
                        }
                    }
                }
            }
        }
    }

    /// The atlas with the tokens of the pass.
    func finished() -> AttentionAtlas {
        var atlas = atlas
        atlas.blocks.append(AttentionAtlas.Entry(block: block, count: block.count))
        atlas.length = block.first + block.count
        if atlas.length - (atlas.checkpoints.last?.length ?? 0) >= AttentionAtlas.checkpointStep {
            atlas.checkpoints.append((atlas.length, atlas.scores))
        }
        return atlas
    }

    /// Keeps a row's weights and its peak.
    private static func note(
        _ weights: UnsafePointer<Float>, _ index: Int, layer: Int, head: Int, in block: AttentionBlock
    ) {
        let count = block.first + index + 1
        if let kept = block.weights {
            (kept.pointer + block.weightStart(index, layer: layer, head: head)).update(from: weights, count: count)
        }
        let key = Elementwise.argmax(weights, count: count)
        block.peaks.pointer[block.row(index, layer: layer, head: head)] = AttentionBlock.RowPeak(
            key: Int32(key), weight: weights[key])
    }
}

/// ‖v‖ of every token so far, as the reduction reads them: a line of tokens for each layer and head.
final class ValueNormHistory {
    private var lines: [[Float]]
    private let heads: Int

    /// Those of the tokens that an atlas has.
    init(_ atlas: AttentionAtlas) {
        let heads = atlas.layout.kvHeads
        let group = atlas.heads / heads
        self.heads = heads
        lines = (0..<atlas.layers * heads).map { line in
            atlas.valueNorms(layer: line / heads, head: line % heads * group, count: atlas.length)
        }
    }

    func append(_ norm: Float, layer: Int, head: Int) { lines[layer * heads + head].append(norm) }

    func norms(layer: Int, head: Int) -> [Float] { lines[layer * heads + head] }

    func cut(to length: Int) {
        for index in lines.indices where lines[index].count > length {
            lines[index].removeSubrange(length...)
        }
    }
}
