import Inference
import Interpretability
import Models
import System
import Testing
import Tokenizers

/// Runs that are watched, against plain passes.
struct InspectedRunTests {
    private func mini(_ options: InspectedModel.Options = InspectedModel.Options()) throws -> InspectedModel {
        try InspectedModel(path: LiveModels.root + "/sample-data/models/orrery-mini", options: options)
    }

    /// The most probable tokens that a plain model says, one after another.
    private func greedy(_ model: InspectedModel, _ prompt: [TokenID], count: Int) throws -> [TokenID] {
        let (cache, pass) = (ContiguousKeyValues(model.configuration), ForwardPass())
        var (tokens, unread) = (prompt, prompt)
        for _ in 0..<count {
            let logits = try model.transformer.forward([Segment(unread, cache: cache)], in: pass)
            let best = try #require(logits[0].indices.max { logits[0][$0] < logits[0][$1] })
            unread = [TokenID(best)]
            tokens += unread
        }
        return tokens
    }

    @Test("says what the plain model says, and shows each token as it comes")
    func steps() throws {
        let model = try mini()
        let prompt = model.tokens(of: "Once upon a time")
        let run = try model.run(prompt, RunOptions(endTokens: []))
        var revision = run.snapshot.revision
        for count in 1...20 {
            let token = try #require(try run.step())
            let snapshot = run.snapshot
            #expect(token.position == prompt.count + count - 1 && snapshot.tokens[token.position] == token.id)
            #expect(snapshot.readCount == prompt.count + count && snapshot.attention.length == snapshot.readCount)
            #expect(snapshot.revision > revision)
            #expect(token.alternatives.first?.id == token.id)
            revision = snapshot.revision
        }
        #expect(run.snapshot.tokens == (try greedy(model, prompt, count: 20)))
    }

    @Test("keeps log-probabilities, norms of the stream and a lens that agree with a plain pass")
    func insides() throws {
        let model = try mini()
        let tokens = model.tokens(of: LiveModels.text)
        let run = try model.run(tokens)
        try run.read()
        let (snapshot, width) = (run.snapshot, model.configuration.width)
        let last = model.configuration.layerCount - 1
        let stream = try LiveModels.rows(.residualPost(layer: 3), model, tokens)
        for position in [0, 7, tokens.count - 1] {
            let norm = stream.values[position * width..<(position + 1) * width].reduce(0) { $0 + $1 * $1 }.squareRoot()
            #expect(abs(snapshot.residualNorm(layer: 3, position: position) - norm) < 1e-3 * norm)
        }
        #expect(snapshot.records.count == tokens.count && snapshot.records[0].logProbability == nil)
        let lens = try run.lens(positions: 4..<9)
        #expect(lens.points.last == .final && lens.points.count == last + 1)
        for (column, position) in (4..<9).enumerated() {
            let cell = lens.cells[last][column]
            let record = snapshot.records[position + 1]
            #expect(abs(try #require(cell.chosen).logProbability - Double(try #require(record.logProbability))) < 1e-4)
            #expect(cell.top.first?.token == record.alternatives.first?.id && cell.divergence < 1e-9)
        }
        let forgetful = try model.run(tokens, RunOptions(residualBudget: 0))
        try forgetful.read()
        let again = try forgetful.lens(positions: 4..<9)
        #expect(again.cells[1].map(\.top.first?.token) == lens.cells[1].map(\.top.first?.token))
        expectSameNumbers(
            again.cells[2].map { Float($0.divergence) }, lens.cells[2].map { Float($0.divergence) }, within: 1e-3)
    }

    @Test("draws the same tokens with the same seed")
    func seeds() throws {
        let model = try mini()
        let prompt = model.tokens(of: "Once upon a time")
        func text(seed: UInt64) throws -> [TokenID] {
            let run = try model.run(prompt, RunOptions(chain: .init(), seed: seed))
            for _ in 0..<12 { _ = try run.step() }
            return run.snapshot.tokens
        }
        #expect(try text(seed: 3) == text(seed: 3))
        #expect(try text(seed: 3) != text(seed: 4))
    }

    @Test("ends at once when canceled, and goes on where it stopped")
    func cancellation() throws {
        let model = try mini()
        let prompt = model.tokens(of: LiveModels.text)
        let run = try model.run(prompt)
        var asked = 0
        let error = #expect(throws: Problem.self) {
            try run.read(isCancelled: {
                asked += 1
                return asked > 3
            })
        }
        #expect(error?.kind == .cancelled && run.snapshot.readCount == 0)
        try run.read()
        let whole = try model.run(prompt)
        try whole.read()
        #expect(run.snapshot.records == whole.snapshot.records)
    }

    @Test("says how many tokens would fit where keys and values do not")
    func memory() throws {
        let model = try mini(InspectedModel.Options(cacheBudget: 600_000))
        let prompt = [TokenID](repeating: 5, count: 400)
        let error = #expect(throws: Problem.self) { try model.run(prompt) }
        let fitting = model.pages.budget / model.pages.layout.bytesPerPage * model.pages.layout.pageSize
        #expect(fitting > 0 && error?.remedy == "Shorten the text to \(fitting) tokens, or raise the budget.")
    }

    @Test("names what is wrong with a prompt, a hook and a dictionary")
    func refusals() throws {
        let model = try mini()
        #expect(throws: Problem.self) { try model.run([]) }
        #expect(throws: Problem.self) { try model.run([TokenID(model.configuration.vocabularySize)]) }
        let error = #expect(throws: Problem.self) { try model.hook(named: "blocks.2.hook_resid_pots") }
        #expect(error?.remedy?.contains("blocks.2.hook_resid_post") == true)
        let narrow = try LiveModels.dictionary(width: 16, features: 8, hook: .residualPost(layer: 2))
        let refusal = #expect(throws: Problem.self) {
            try AttachedDictionary("narrow", narrow, for: model)
        }
        #expect(refusal?.what.contains("16") == true && refusal?.what.contains("192") == true)
    }
}
