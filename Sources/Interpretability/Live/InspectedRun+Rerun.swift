internal import Inference
internal import Models
public import System
internal import Tokenizers

extension InspectedRun {
    /// Returns a branch that shares everything before a token, and reruns that token and the rest with other
    /// interventions.
    ///
    /// Tokens of the prompt stay. Generated tokens after `token` are dropped and drawn again, each with the same random
    /// number as in this run. Keys and values of earlier tokens are shared, not copied. The branch has not read the
    /// rest yet: `read` and `step` continue it.
    ///
    /// Of a dictionary that this run does not have, nothing is recorded for the tokens that are kept: see
    /// `RunSnapshot.featuresFrom`.
    ///
    /// - Parameters:
    ///   - interventions: Interventions of the branch; changes before `token` stay in the shared part.
    ///   - options: Options of the branch (default: those of this run).
    /// - Throws: An error if there is no such token, or an intervention does not fit.
    /// - Complexity: The remaining tokens; where whole weights are no longer kept, up to a cell's side more.
    public func rerun(
        from token: Int, with interventions: [LiveIntervention], options: RunOptions? = nil
    ) throws(Problem) -> InspectedRun {
        try work.run { () throws(Problem) in
            guard tokens.indices.contains(token) else {
                throw Problem(
                    .invalid, model.name, "cannot rerun from token \(token)",
                    remedy: "Use a token from 0 to \(tokens.count - 1).")
            }
            var options = options ?? self.options
            options.keepsAttention = self.options.keepsAttention
            var kept = state
            var from = min(token, state.readCount)
            if options.keepsAttention {
                kept.atlas = try cutAtlas(to: from)
                from = kept.atlas.length
            }
            kept.cut(
                to: from, layers: model.configuration.layerCount, experts: model.configuration.experts?.count ?? 0)
            kept.attach(options.dictionaries, before: self.options.dictionaries)
            let branch = cache.branch()
            branch.truncate(to: from)
            let run = try InspectedRun(
                model, Array(tokens.prefix(max(token + 1, promptCount))), promptCount: promptCount, options, branch,
                kept, changedFrom: token)
            try run.setInterventions(interventions)
            run.inherit(changeLog)
            return run
        }
    }

    private func cutAtlas(to length: Int) throws(Problem) -> AttentionAtlas {
        let known = KeptAttention(model.configuration, state.atlas)
        return try known.atlas.cut(to: length, occurrences: earlier) { query, layer, head in
            if let weights = known.atlas.weights(layer: layer, head: head, query: query) { return weights }
            guard !changesPattern(at: query, layer: layer) else { return nil }
            return known.weights(
                layer: layer, head: head, query: query, keys: 0..<query + 1, of: cache.pages(layer: layer))
        }
    }

    /// Copies the changes in the tokens that a branch shares, including those before `changedFrom` that it reads again.
    private func inherit(_ log: [(from: Int, revision: Int, changes: LiveChanges)]) {
        // No revision of this run is that of an entry of another.
        changeLog = log.filter { $0.from < changedFrom ?? 0 }.map { ($0.from, -1, $0.changes) }
    }

    /// Where a token stood before.
    func earlier(_ position: Int) -> [Int32] {
        (occurrences[tokens[position]] ?? []).filter { $0 < position }
    }

    /// Whether weights of a token were changed rather than computed.
    func changesPattern(at position: Int, layer: Int) -> Bool {
        changeLog.last { $0.from <= position }?.changes.changesPattern(layer: layer) ?? false
    }
}
