import Interpretability
import Models
import TestFixtures
import Testing
import Tokenizers

/// Which experts a mixture takes for each token, while a text is read and written.
struct LiveExpertTests {
    /// A tiny random mixture of 4 experts, 2 of them active, with a tokenizer.
    private static func model(in folder: TemporaryFolder) throws -> InspectedModel {
        let weights = LiveModels.root + "/Tests/ModelsTests/Goldens/architectures/mixtral/"
        for name in ["config.json", "model.safetensors"] { File.copy(weights + name, to: folder.file(name)) }
        File.copy(
            LiveModels.root + "/sample-data/models/orrery-mini/tokenizer.json", to: folder.file("tokenizer.json"))
        return try InspectedModel(path: folder.path)
    }

    private static let prompt: [TokenID] = (0..<20).map { TokenID(($0 * 31 + 7) % 96) }

    /// Weights of all experts of each token, from a pass without other observers: `[T, experts]` of each layer.
    private func expected(_ model: InspectedModel, _ tokens: [TokenID]) throws -> [HookActivation] {
        try (0..<model.configuration.layerCount).map { try LiveModels.rows(.expertWeights(layer: $0), model, tokens) }
    }

    private func expectSameExperts(_ snapshot: RunSnapshot, _ layers: [HookActivation], _ positions: Range<Int>) {
        for (layer, weights) in layers.enumerated() {
            for position in positions {
                expectSameNumbers(
                    snapshot.expertWeights(layer: layer, position: position),
                    weights.values[4 * position..<4 * position + 4], within: 1e-5)
            }
        }
    }

    @Test("are the router's: two of four for each token, weights that sum to 1")
    func reads() throws {
        let folder = TemporaryFolder()
        let model = try Self.model(in: folder)
        let run = try model.run(Self.prompt, RunOptions(endTokens: []))
        try run.read()
        let snapshot = run.snapshot
        #expect(snapshot.expertCount == 4 && snapshot.expertWeights.count == 20 * 2 * 4)
        var taken: Set<Int> = []
        for position in 0..<20 {
            for layer in 0..<2 {
                let weights = snapshot.expertWeights(layer: layer, position: position)
                #expect(weights.count { $0 > 0 } == 2 && abs(weights.reduce(0, +) - 1) < 1e-5)
                for (expert, weight) in weights.enumerated() where weight > 0 { taken.insert(4 * layer + expert) }
            }
        }
        #expect(taken.count > 4)
        expectSameExperts(snapshot, try expected(model, Self.prompt), 0..<20)
    }

    @Test("come with each token that is written")
    func steps() throws {
        let folder = TemporaryFolder()
        let model = try Self.model(in: folder)
        let run = try model.run(Self.prompt, RunOptions(endTokens: []))
        for _ in 0..<6 { _ = try run.step() }
        let snapshot = run.snapshot
        #expect(snapshot.readCount == 26 && snapshot.expertWeights.count == 26 * 2 * 4)
        expectSameExperts(snapshot, try expected(model, snapshot.tokens), 0..<26)
    }

    @Test("a branch keeps weights before the change and chooses them again after it")
    func branches() throws {
        let folder = TemporaryFolder()
        let model = try Self.model(in: folder)
        let run = try model.run(Self.prompt)
        try run.read()
        let branch = try run.rerun(
            from: 9, with: (0..<4).map { LiveIntervention(.head(layer: 0, head: $0, scale: -4)) })
        try branch.read()
        let (a, b) = (run.snapshot, branch.snapshot)
        #expect(b.expertWeights.count == a.expertWeights.count)
        expectSameNumbers(b.expertWeights.prefix(9 * 8), a.expertWeights.prefix(9 * 8), within: 1e-5)
        let changed = (9..<20).count {
            b.expertWeights(layer: 1, position: $0) != a.expertWeights(layer: 1, position: $0)
        }
        #expect(changed == 11)
    }

    @Test("weights are empty if the feed-forward is dense")
    func dense() throws {
        let model = try LiveModels.mini()
        let run = try model.run(model.tokens(of: "Once"))
        try run.read()
        #expect(run.snapshot.expertCount == 0 && run.snapshot.expertWeights(layer: 1, position: 0).isEmpty)
    }
}
