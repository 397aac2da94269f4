public import Models
public import System
public import Tensors
public import Tokenizers

/// A model that also knows how a number made of its logits depends on what its hooks show.
public protocol DifferentiableModel<Scalar>: HookedModel {
    /// One run and one way back.
    ///
    /// - Parameters:
    ///   - hooks: What gradients are wanted of, after the interventions; kept too.
    ///   - seed: ∂m/∂logits, `[T, V]`, of the logits that it is given.
    /// - Returns: ∂m/∂a of every hook that was asked for, of the shape of its activation.
    func gradients(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>], of hooks: [Hook],
        seed: (Tensor<Scalar>) throws(Problem) -> Tensor<Scalar>
    ) throws(Problem) -> (cache: ActivationCache<Scalar>, gradients: [Hook: Tensor<Scalar>])
}
