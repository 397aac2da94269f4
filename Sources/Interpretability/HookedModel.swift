public import Models
public import System
public import Tensors
public import Tokenizers

/// A model that can be run with its insides in view and in hand.
///
/// `RuntimeModel` runs what the program runs, in float32 and at full speed; `HookedTransformer` is written out hook by
/// hook in either precision, with gradients. Patching, attribution and scores of heads are written against this.
public protocol HookedModel<Scalar> {
    associatedtype Scalar: FloatingAccumulator

    var name: String { get }
    var layerCount: Int { get }
    var headCount: Int { get }
    /// D.
    var width: Int { get }
    /// V.
    var vocabularySize: Int { get }
    /// Hooks that it has, in the order of the pass.
    var hooks: [Hook] { get }

    /// Runs one sequence from its first token.
    ///
    /// - Parameter interventions: Applied in order, each at its hook.
    /// - Returns: The hooks that were selected; `.logits` is `[T, V]` for all T tokens.
    /// - Throws: An error if a hook does not exist in this model, or a change does not fit its shape.
    func run(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>], keeping hooks: HookSelection
    ) throws(Problem) -> ActivationCache<Scalar>

    /// What turns a residual stream into logits: final norm, W_U, b_U.
    func readout() throws(Problem) -> Readout<Scalar>
}

extension HookedModel {
    public func run(
        _ tokens: [TokenID], keeping hooks: HookSelection = .all
    ) throws(Problem) -> ActivationCache<Scalar> {
        try run(tokens, [], keeping: hooks)
    }
}
