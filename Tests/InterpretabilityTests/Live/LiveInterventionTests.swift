import Glibc
import Interpretability
import Kernels
import Models
import System
import Tensors
import Testing
import Tokenizers

/// Changes while a text comes, branches that are run again, and pairs of them.
struct LiveInterventionTests {
    /// Logits of the last token of a whole pass with changes from a token on.
    private func lastLogits(
        _ model: InspectedModel, _ tokens: [TokenID], _ changes: [Intervention<Float>]
    ) throws -> [Float] {
        let visitor = ChangingVisitor(changes)
        let pass = ForwardPass()
        pass.visitor = visitor
        let logits = try model.transformer.forward(
            [Segment(tokens, cache: ContiguousKeyValues(model.configuration))], in: pass)
        return Array(logits[0])
    }

    private final class ChangingVisitor: HookVisitor {
        let changes: [Intervention<Float>]
        init(_ changes: [Intervention<Float>]) { self.changes = changes }
        func wants(_ hook: Hook) -> Bool { changes.contains { $0.hook == hook } }
        func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
            for change in changes where change.hook == hook {
                #expect(throws: Never.self) { try change.apply(to: values, shape: shape, firstPosition: firstPosition) }
            }
        }
    }

    /// KL(p ‖ q) of two rows of logits, in double.
    private static func divergence(_ p: [Float], _ q: [Float]) -> Double {
        func logProbabilities(_ row: [Float]) -> [Double] {
            let total = row.reduce(0) { $0 + exp(Double($1)) }
            return row.map { Double($0) - log(total) }
        }
        return zip(logProbabilities(p), logProbabilities(q)).reduce(0) { $0 + exp($1.0) * ($1.0 - $1.1) }
    }

    private func logits(of run: InspectedRun) -> [Float] { Array(run.logits.elements) }

    @Test("a rerun from a token equals a whole run with the change starting there", arguments: [1, 9, 13, 30])
    func rerun(from token: Int) throws {
        let model = try LiveModels.mini()
        let tokens = model.tokens(of: LiveModels.text)
        let run = try model.run(tokens)
        try run.read()
        let branch = try run.rerun(
            from: token,
            with: [
                LiveIntervention(.head(layer: 2, head: 3, scale: 0)),
                LiveIntervention(.head(layer: 4, head: 0, scale: 2)),
            ])
        try branch.read()
        let expected = try lastLogits(
            model, tokens,
            [
                Intervention(.z(layer: 2), at: .from(token), head: 3, .zero),
                Intervention(.z(layer: 4), at: .from(token), head: 0, .scale(2)),
            ])
        expectSameNumbers(logits(of: branch), expected, within: 2e-4)
        #expect(branch.snapshot.changedFrom == token && branch.snapshot.tokens == tokens)

        let whole = try model.run(
            tokens,
            RunOptions(interventions: [
                LiveIntervention(.head(layer: 2, head: 3, scale: 0), at: .from(token)),
                LiveIntervention(.head(layer: 4, head: 0, scale: 2), at: .from(token)),
            ]))
        try whole.read()
        let (a, b) = (branch.snapshot, whole.snapshot)
        expectSameNumbers(a.residualNorms, b.residualNorms, within: 1e-2)
        for kind in StreamedHeadScores.Kind.allCases {
            expectSameNumbers(a.attention.scores.scores(kind), b.attention.scores.scores(kind), within: 1e-4)
        }
        for (one, other) in zip(a.attention.levels, b.attention.levels) {
            #expect(one.rows.count == other.rows.count)
            for (row, twin) in zip(one.rows, other.rows) {
                expectSameNumbers(Array(row.cells.elements), Array(twin.cells.elements), within: 1e-3)
            }
        }
        // The run it came from is as it was.
        #expect(run.snapshot.readCount == tokens.count && run.snapshot.changedFrom == nil)
    }

    @Test("rebuilds cut cells where no whole weights are kept", arguments: [0, 1 << 26])
    func cut(queryBudget: Int) throws {
        let model = try LiveModels.mini()
        let tokens = model.tokens(of: LiveModels.text)
        let options = RunOptions(exactBudget: 0, queryBudget: queryBudget)
        let run = try model.run(tokens, options)
        try run.read()
        let branch = try run.rerun(from: 14, with: [])
        // Without queries the whole row of cells is read again.
        #expect(branch.snapshot.readCount == (queryBudget == 0 ? 12 : 14))
        try branch.read()
        let (a, b) = (run.snapshot.attention, branch.snapshot.attention)
        for (one, other) in zip(a.levels, b.levels) {
            for (row, twin) in zip(one.rows, other.rows) {
                expectSameNumbers(Array(row.cells.elements), Array(twin.cells.elements), within: 1e-3)
            }
        }
    }

    @Test("with no intervention a branch says what the run says, and diverges nowhere")
    func untouched() throws {
        let model = try LiveModels.mini()
        let run = try model.run(model.tokens(of: "Once upon a time there was a girl"), RunOptions(endTokens: []))
        for _ in 0..<10 { _ = try run.step() }
        let pair = try RunPair(run, from: 3, with: [])
        for _ in 0..<10 { _ = try pair.step() }
        #expect(pair.changed.snapshot.tokens == run.snapshot.tokens)
        let snapshot = pair.snapshot
        #expect(snapshot.firstDifference == nil)
        #expect(snapshot.divergences.count == run.snapshot.tokens.count - 3)
        #expect(snapshot.divergences.allSatisfy { $0 < 1e-6 })
    }

    @Test("holds the changed text against the untouched model, token by token")
    func divergence() throws {
        let model = try LiveModels.mini()
        let prompt = model.tokens(of: "Once upon a time there was a girl named Lily. Lily")
        let run = try model.run(prompt, RunOptions(endTokens: []))
        for _ in 0..<6 { _ = try run.step() }
        let changes = (0..<6).map { LiveIntervention(.head(layer: 3, head: $0, scale: 0)) }
        let pair = try RunPair(run, from: 4, with: changes)
        for _ in 0..<6 { _ = try pair.step() }
        let changed = pair.changed.snapshot.tokens
        let snapshot = pair.snapshot
        #expect(snapshot.divergences.count == changed.count - 4)
        for index in [0, 5, snapshot.divergences.count - 1] {
            let tokens = Array(changed[...(4 + index)])
            let p = try lastLogits(model, tokens, [])
            let q = try lastLogits(
                model, tokens, (0..<6).map { Intervention(.z(layer: 3), at: .from(4), head: $0, .zero) })
            let expected = Self.divergence(p, q)
            #expect(expected > 1e-6)
            #expect(abs(Double(snapshot.divergences[index]) - expected) < 1e-3 * max(1, expected))
        }
        let texts = (run.snapshot.tokens, changed)
        if let first = snapshot.firstDifference {
            #expect(texts.0[..<first] == texts.1[..<first] && texts.0[first] != texts.1[first])
        } else {
            #expect(texts.0 == texts.1)
        }
    }

    @Test("sets a feature by exactly what it lacks, and keeps what the dictionary does not explain")
    func clamp() throws {
        let model = try LiveModels.mini()
        let (hook, width) = (Hook.residualPost(layer: 2), model.configuration.width)
        let dictionary = try LiveModels.dictionary(width: width, features: 64, hook: hook)
        let tokens = model.tokens(of: LiveModels.text)
        let attached = try AttachedDictionary("seeded", dictionary, for: model)
        let plain = try LiveModels.rows(hook, model, tokens)
        let rows = try Tensor(plain.values, shape: [tokens.count, width])
        let active = try dictionary.encode(rows, only: [11, 12]).elements
        let run = try model.run(tokens, RunOptions(dictionaries: [attached]))
        try run.setInterventions([
            LiveIntervention(.feature(dictionary: 0, feature: 11, .set(5)), at: .from(6)),
            LiveIntervention(.feature(dictionary: 0, feature: 12, .off), at: .only(8)),
        ])
        try run.read()
        let changed = try run.activations(of: hook, positions: 0..<tokens.count).elements
        let decoder = dictionary.decoder.elements
        for position in 0..<tokens.count {
            for number in 0..<width {
                var expected = plain.values[position * width + number]
                if position >= 6 { expected += (5 - active[2 * position]) * decoder[11 * width + number] }
                if position == 8 { expected -= active[2 * position + 1] * decoder[12 * width + number] }
                #expect(abs(changed[position * width + number] - expected) < 1e-3)
            }
        }
        #expect(run.snapshot.features[0].rows == tokens.count)
        let shown = try dictionary.encode(Tensor(changed, shape: [tokens.count, width]))
        #expect(run.snapshot.features[0].features.count == shown.features.count)
    }

    @Test("patches what another run showed")
    func patch() throws {
        let model = try LiveModels.mini()
        let (clean, corrupt) = (model.tokens(of: "Lily had a red ball."), model.tokens(of: "Lily had a blue ball."))
        let source = try model.run(clean)
        try source.read()
        let position = try #require(zip(clean, corrupt).enumerated().first { $1.0 != $1.1 }?.offset)
        let row = try source.activations(of: .residualPost(layer: 5), positions: clean.count - 1..<clean.count)
        let run = try model.run(corrupt)
        try run.setInterventions([
            LiveIntervention(.patch(.residualPost(layer: 5), head: nil, row, at: corrupt.count - 1))
        ])
        try run.read()
        // The last stream of the last token is all that its logits are made of.
        expectSameNumbers(logits(of: run), logits(of: source), within: 2e-4)
        #expect(position > 0)
    }

    @Test("refuses what does not exist, in a sentence, and changes nothing")
    func refusals() throws {
        let model = try LiveModels.mini()
        let run = try model.run(model.tokens(of: "Once"))
        let wrong: [LiveIntervention.Kind] = [
            .head(layer: 2, head: 6, scale: 0), .head(layer: 6, head: 0, scale: 0),
            .feature(dictionary: 0, feature: 1, .off),
            .steering(.residualPost(layer: 1), try Tensor(repeating: 1, shape: [7]), times: 1),
        ]
        for kind in wrong {
            #expect(throws: Problem.self) { try run.setInterventions([LiveIntervention(kind)]) }
        }
        #expect(run.interventions.isEmpty)
        try run.read()
    }

    @Test("switches a change off between tokens")
    func switched() throws {
        let model = try LiveModels.mini()
        let prompt = model.tokens(of: "Once upon a time")
        let run = try model.run(prompt, RunOptions(endTokens: []))
        try run.setInterventions([LiveIntervention(.head(layer: 1, head: 0, scale: 0))])
        run.interventions[0].isOn = false
        for _ in 0..<5 { _ = try run.step() }
        let plain = try model.run(prompt, RunOptions(endTokens: []))
        for _ in 0..<5 { _ = try plain.step() }
        #expect(run.snapshot.records == plain.snapshot.records)
    }
}
