import Interpretability
import System
import Tensors
import Tokenizers

/// A tiny model with two prompts that differ in one place, for tests that need no meaning.
struct PatchPrompts {
    let model: HookedTransformer<Double>
    let clean: [TokenID]
    let corrupt: [TokenID]
    static let metric = PatchMetric.logitDifference(correct: 3, wrong: 7)

    /// - Parameter name: `gpt` or `llama` of the small goldens.
    init(_ name: String) throws {
        let golden = try TransformerLensGolden.small()
        model = try golden.model(name)
        clean = try golden.tokens(name)[0]
        var other = clean
        other[3] = (other[3] + 5) % TokenID(model.vocabularySize)
        corrupt = other
    }

    func patching(
        _ direction: PatchPair<Double>.Direction = .denoising, metric: PatchMetric = Self.metric
    ) throws -> ActivationPatching<Double> {
        try ActivationPatching(model, clean: clean, corrupt: corrupt, metric: metric, direction: direction)
    }
}

extension HookedModel {
    /// Every hook of a run in which something is changed.
    func runWhole(
        _ tokens: [TokenID], _ changes: [Intervention<Scalar>]
    ) throws(Problem) -> ActivationCache<Scalar> {
        try run(tokens, changes, keeping: .all)
    }
}
