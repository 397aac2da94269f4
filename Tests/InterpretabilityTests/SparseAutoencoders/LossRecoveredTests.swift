import Glibc
import Interpretability
import Models
import System
import Tensors
import Testing
import Tokenizers

/// A model of one activation, logits = x, that an intervention can replace.
private struct EchoModel: HookedModel {
    let name = "echo"
    let layerCount = 1
    let headCount = 1
    let width = 4
    let vocabularySize = 4
    let hooks: [Hook] = [.residualPost(layer: 0), .logits]

    /// Expects the next token to be the present one plus 1; a first token 0 is loud.
    func rows(_ tokens: [TokenID]) -> [[Float]] {
        tokens.map { token in
            (0..<4).map { $0 == (Int(token) + 1) % 4 ? (token == 0 ? 50 : 3) : 0 }
        }
    }

    func run(
        _ tokens: [TokenID], _ interventions: [Intervention<Float>], keeping hooks: HookSelection
    ) throws(Problem) -> ActivationCache<Float> {
        var x: Tensor<Float>
        do {
            x = try Tensor(rows: rows(tokens))
        } catch {
            throw Problem(error)
        }
        for intervention in interventions {
            if case .replace(let other) = intervention.change { x = other }
        }
        return ActivationCache(tokens: tokens, activations: [.residualPost(layer: 0): x, .logits: x])
    }

    func readout() throws(Problem) -> Readout<Float> {
        throw Problem(.missing, "echo", "has no readout")
    }
}

@Suite("Loss recovered")
struct LossRecoveredTests {
    /// x̂ = share · x: features are the coordinates of x.
    static func dictionary(keeping share: Float) throws -> SparseAutoencoder {
        let identity = try Tensor<Float>((0..<16).map { $0 % 5 == 0 ? 1 : 0 }, shape: [4, 4])
        let zeros = try Tensor<Float>(repeating: 0, shape: [4])
        return try SparseAutoencoder(
            encoder: identity, encoderBias: zeros, decoder: try identity * share, decoderBias: zeros,
            activation: .relu)
    }

    static let hook = Hook.residualPost(layer: 0)

    static func measure(
        _ share: Float, against ablation: LossRecovered.Ablation = .zero, excluding special: Set<TokenID> = [0]
    ) throws -> LossRecovered {
        try LossRecovered.measure(
            try dictionary(keeping: share), at: hook, of: EchoModel(), over: [[0, 1, 2, 3, 2], [0, 2], [3]],
            excluding: special, against: ablation)
    }

    /// −ln p of a row with `loud` at one place of four.
    static func loss(_ loud: Double, isNext: Bool) -> Double { log(exp(loud) + 3) - (isNext ? loud : 0) }

    @Test("a dictionary that keeps everything recovers everything, one that keeps nothing nothing")
    func ends() throws {
        let whole = try Self.measure(1)
        #expect(abs(whole.score - 1) < 1e-9)
        #expect(abs(whole.divergenceScore - 1) < 1e-9)
        // Positions 1, 2 and 3 of the first sequence: those of 0 are special, and the last predicts nothing.
        #expect(whole.tokenCount == 3)
        let nothing = try Self.measure(0)
        #expect(abs(nothing.score) < 1e-9)
        #expect(abs(nothing.ablatedLoss - log(4)) < 1e-6)
    }

    @Test("between them it is the share of the loss, by the formula")
    func between() throws {
        let half = try Self.measure(0.5)
        let clean = (2 * Self.loss(3, isNext: true) + Self.loss(3, isNext: false)) / 3
        let written = (2 * Self.loss(1.5, isNext: true) + Self.loss(1.5, isNext: false)) / 3
        #expect(abs(half.cleanLoss - clean) < 1e-6)
        #expect(abs(half.dictionaryLoss - written) < 1e-6)
        #expect(abs(half.score - (log(4) - written) / (log(4) - clean)) < 1e-6)
        let (p, q) = (exp(3.0) / (exp(3.0) + 3), exp(1.5) / (exp(1.5) + 3))
        let divergence = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
        #expect(abs(half.dictionaryDivergenceMean - divergence) < 1e-6)
    }

    @Test("special tokens change the score only where they are counted")
    func special() throws {
        let excluded = try Self.measure(0.5)
        let counted = try Self.measure(0.5, excluding: [])
        #expect(counted.tokenCount == 5)
        #expect(abs(counted.cleanLoss - excluded.cleanLoss) > 1)
    }

    @Test("the mean of the data is a stricter ablation")
    func mean() throws {
        let mean = try LossRecovered.meanActivation(
            at: Self.hook, of: EchoModel(), over: [[0, 1, 2, 3, 2], [0, 2], [3]], excluding: [0])
        // Tokens 1, 2, 3, 2, 2, 3: one row each of 3 in column 2, 3, 0, 3, 3, 0.
        #expect(mean.elements == [1, 0, 0.5, 1.5])
        let strict = try Self.measure(0.5, against: .mean(mean))
        #expect(strict.ablatedLoss != (try Self.measure(0.5)).ablatedLoss)
        #expect(strict.score.isFinite)
    }

    @Test("canceling ends it, and losses of other tokens are refused")
    func refusals() throws {
        let error = #expect(throws: Problem.self) {
            try LossRecovered.measure(
                try Self.dictionary(keeping: 1), at: Self.hook, of: EchoModel(), over: [[1, 2]], excluding: [],
                isCancelled: { true })
        }
        #expect(error?.kind == .cancelled)
        var recovered = LossRecovered()
        #expect(throws: Problem.self) {
            try recovered.add(clean: [1], dictionary: [1, 2], ablated: [1])
        }
    }
}
