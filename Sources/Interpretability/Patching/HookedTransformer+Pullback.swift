public import Models
public import System
public import Tensors
public import Tokenizers
internal import Training

extension HookedTransformer: DifferentiableModel {
    public func gradients(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>], of hooks: [Hook],
        seed: (Tensor<Scalar>) throws(Problem) -> Tensor<Scalar>
    ) throws(Problem) -> (cache: ActivationCache<Scalar>, gradients: [Hook: Tensor<Scalar>]) {
        // Σ logits · seed, the seed held, has the seed as its gradient.
        let run = try runWithGradients(
            tokens, interventions, keeping: .only(Set(hooks)), at: hooks
        ) { logits in try (logits * Variable(seed(logits.value))).sum() }
        return (run.cache, run.gradients)
    }
}
