internal import Inference
internal import Kernels
public import Models
public import System
public import Tensors
internal import Tokenizers

extension InspectedRun {
    /// Cells of any region, as fine as they are asked for, at any length.
    ///
    /// Weights that are no longer whole are computed again from kept queries and the keys of the cache; where the
    /// queries are gone too, or an intervention changed the pattern, the tokens are run again on a branch.
    ///
    /// - Throws: An error if there is no such head, or memory is short.
    /// - Complexity: O(queries · keys · width), or the tokens of the region.
    public func exactCells(
        layer: Int, head: Int, queries: Range<Int>, keys: Range<Int>, rows: Int, columns: Int,
        measure: AttentionMeasure = .max, weighting: AttentionWeighting = .plain
    ) throws(Problem) -> AttentionCells {
        try work.run { () throws(Problem) in
            try check(layer, head)
            let atlas = state.atlas
            let geometry = CellGeometry(queries, keys, rows: rows, columns: columns, side: 1, length: atlas.length)
            if geometry.queries.lowerBound >= atlas.exactFrom {
                return atlas.cells(
                    layer: layer, head: head, geometry, measure: measure, weighting: weighting, isCoarser: false)
            }
            // Value-weighted rows are divided by sums over all keys.
            let needed = weighting == .values ? 0..<geometry.queries.upperBound : geometry.keys
            let source = try weightRows(layer, head, queries: geometry.queries, keys: needed)
            return atlas.cells(layer: layer, geometry, measure: measure, weighting: weighting) { query in
                let row = source(query)
                guard weighting == .values else { return row }
                return Array(
                    atlas.weighted(Array(row.prefix(query + 1)), layer: layer, head: head)[
                        geometry.keys.clamped(to: 0..<query + 1)])
            }
        }
    }

    /// What a token attends to: the weights of all keys up to it, `[query + 1]`.
    ///
    /// - Throws: An error if there is no such head or token, or memory is short.
    public func weights(
        layer: Int, head: Int, query: Int, weighting: AttentionWeighting = .plain
    ) throws(Problem) -> [Float] {
        try work.run { () throws(Problem) in
            try check(layer, head)
            try check(query)
            if let kept = state.atlas.weights(layer: layer, head: head, query: query, weighting: weighting) {
                return kept
            }
            let row = try weightRows(layer, head, queries: query..<query + 1, keys: 0..<query + 1)(query)
            return weighting == .plain ? row : state.atlas.weighted(row, layer: layer, head: head)
        }
    }

    /// Who attends to a token: the weights of its key in all queries from its own on.
    ///
    /// - Throws: An error if there is no such head or token, or memory is short.
    public func weights(
        layer: Int, head: Int, key: Int, weighting: AttentionWeighting = .plain
    ) throws(Problem) -> [Float] {
        try work.run { () throws(Problem) in
            try check(layer, head)
            try check(key)
            if let kept = state.atlas.weights(layer: layer, head: head, key: key, weighting: weighting) { return kept }
            let queries = key..<state.atlas.length
            let keys = weighting == .values ? 0..<queries.upperBound : key..<key + 1
            let source = try weightRows(layer, head, queries: queries, keys: keys)
            return queries.map { query in
                let row = source(query)
                guard weighting == .values else { return row[0] }
                return state.atlas.weighted(Array(row.prefix(query + 1)), layer: layer, head: head)[key]
            }
        }
    }

    /// What a hook showed for some tokens, with the interventions of that time: what `.patch` takes.
    ///
    /// The tokens are run again on a branch. O(tokens).
    ///
    /// - Returns: `[n, …]` as the hook's shape for n tokens; `[heads, n, keys]` of scores and patterns.
    /// - Throws: An error if the model has no such hook or there are no such tokens.
    public func activations(of hook: Hook, positions: Range<Int>) throws(Problem) -> Tensor<Float> {
        try work.run { () throws(Problem) in
            guard model.hooks.contains(hook) else {
                throw .noHook(hook.name, among: model.hooks)
            }
            guard !positions.isEmpty, positions.lowerBound >= 0, positions.upperBound <= state.readCount else {
                throw Problem(
                    .invalid, model.name, "tokens \(positions) are not among the \(state.readCount) read so far",
                    remedy: "Read the text first, or use earlier tokens.")
            }
            var values: [Float] = []
            var shape: [Int] = []
            if hook.isByHead {
                shape = [model.configuration.headCount, positions.count, positions.upperBound]
                values = Array(repeating: 0, count: shape.reduce(1, *))
            }
            try runAgain([hook], positions) { first, shown in
                guard let shown = shown[hook] else { return }
                if hook.isByHead {
                    for head in 0..<shown.shape[0] {
                        for row in 0..<shown.shape[1] {
                            let from = (head * shown.shape[1] + row) * shown.shape[2]
                            let to = (head * shape[1] + first - positions.lowerBound + row) * shape[2]
                            for key in 0..<shown.shape[2] { values[to + key] = shown.values[from + key] }
                        }
                    }
                } else {
                    values += shown.values
                    shape = [positions.count] + shown.shape.dropFirst()
                }
            }
            return try telling { try Tensor(values, shape: shape) }
        }
    }

    private func check(_ layer: Int, _ head: Int) throws(Problem) {
        let (layers, heads) = (model.configuration.layerCount, model.configuration.headCount)
        guard (0..<layers).contains(layer), (0..<heads).contains(head) else {
            throw Problem(
                .missing, model.name, "no head \(head) in layer \(layer)",
                remedy: "Use layers 0 to \(layers - 1) and heads 0 to \(heads - 1).")
        }
        guard options.keepsAttention else {
            throw Problem(
                .invalid, model.name, "the run does not record attention", remedy: "Run again with keepsAttention.")
        }
    }

    private func check(_ position: Int) throws(Problem) {
        guard (0..<state.readCount).contains(position) else {
            throw Problem(
                .invalid, model.name, "token \(position) has not been read",
                remedy: "\(state.readCount) tokens have been read so far.")
        }
    }

    /// Weights of a range of keys by query: from kept queries, or from a pass that runs the tokens again.
    private func weightRows(
        _ layer: Int, _ head: Int, queries: Range<Int>, keys: Range<Int>
    ) throws(Problem) -> (Int) -> [Float] {
        let known = KeptAttention(model.configuration, state.atlas)
        let pages = cache.pages(layer: layer)
        let isKnown = queries.allSatisfy { query in
            !changesPattern(at: query, layer: layer)
                && known.atlas.place(of: query)?.block.queries != nil
        }
        if isKnown {
            return { query in
                known.weights(layer: layer, head: head, query: query, keys: keys, of: pages) ?? []
            }
        }
        var rows: [[Float]] = []
        try runAgain([.pattern(layer: layer)], queries) { _, shown in
            guard let shown = shown[.pattern(layer: layer)] else { return }
            for row in 0..<shown.shape[1] {
                let start = (head * shown.shape[1] + row) * shown.shape[2]
                rows.append(
                    keys.map { $0 < shown.shape[2] ? shown.values[start + $0] : 0 })
            }
        }
        return { rows[$0 - queries.lowerBound] }
    }

    /// Runs tokens that were read once more on a branch, with the changes of their time.
    ///
    /// - Parameter receive: Gets the first position of each pass and what the hooks showed.
    func runAgain(
        _ hooks: Set<Hook>, _ positions: Range<Int>, receive: (Int, [Hook: HookActivation]) -> Void
    ) throws(Problem) {
        let branch = cache.branch()
        branch.truncate(to: positions.lowerBound)
        defer { sidePass.visitor = nil }
        var first = positions.lowerBound
        while first < positions.upperBound {
            // Passes end where other changes begin.
            let next = changeLog.first { $0.from > first }?.from ?? positions.upperBound
            let end = first + chunk(from: first, to: min(next, positions.upperBound))
            let changes = try changes(at: first)
            let capture = LiveCapture(hooks, changes)
            sidePass.visitor = capture
            let outputs: Segment.Outputs = hooks.contains { $0.layer == nil } ? .all : .none
            _ = try model.run(
                Segment(Array(tokens[first..<end]), cache: branch, outputs: outputs), in: sidePass,
                isCancelled: { false })
            if let failure = capture.failure { throw failure }
            receive(first, capture.shown)
            first = end
        }
    }
}
