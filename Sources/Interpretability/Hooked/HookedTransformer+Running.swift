public import Models
public import System
public import Tensors
public import Tokenizers
public import Training

extension HookedTransformer {
    public func run(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>], keeping selection: HookSelection
    ) throws(Problem) -> ActivationCache<Scalar> {
        let pass = try HookedPass(self, tokens, interventions, keeping: selection)
        _ = try telling { try pass.run() }
        return ActivationCache(tokens: tokens, activations: pass.activations)
    }

    /// Runs a sequence, and differentiates a number made of its logits with respect to what hooks showed.
    ///
    /// ```swift
    /// let (cache, value, gradients) = try model.runWithGradients(tokens, at: [.residualPre(layer: 1)]) { logits in
    ///     try logits[-1, 3] - logits[-1, 7]                  // a logit difference of the last token
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - hooks: Hooks whose gradients are computed, after interventions.
    ///   - metric: Maps the logits `[T, V]` to a single number.
    /// - Returns: Captured activations, the metric, and for each hook a gradient of the activation's shape, zero if the
    ///   hook has no influence.
    public func runWithGradients(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>] = [], keeping selection: HookSelection = .none,
        at hooks: [Hook], metric: (Variable<Scalar>) throws -> Variable<Scalar>
    ) throws(Problem) -> (
        cache: ActivationCache<Scalar>, value: Scalar, gradients: [Hook: Tensor<Scalar>]
    ) {
        let pass = try HookedPass(self, tokens, interventions, keeping: selection, recorded: Set(hooks))
        return try telling {
            let number = try metric(pass.run())
            guard let value = number.scalar else {
                throw Problem(.invalid, "metric", "expected one number, found shape \(number.shape)")
            }
            let shown = hooks.compactMap { hook in pass.variables[hook].map { (hook, $0) } }
            let slopes = try number.gradients(for: shown.map(\.1), seed: Tensor(repeating: 1, shape: number.shape))
            var gradients: [Hook: Tensor<Scalar>] = [:]
            for ((hook, _), slope) in zip(shown, slopes) { gradients[hook] = slope.value }
            return (ActivationCache(tokens: tokens, activations: pass.activations), value, gradients)
        }
    }

    /// −log p of every token but the first, in nats: `[T − 1]`.
    public func lossPerToken(
        _ tokens: [TokenID], _ interventions: [Intervention<Scalar>] = []
    ) throws(Problem) -> Tensor<Scalar> {
        let logits = try run(tokens, interventions, keeping: .only([.logits]))[.logits]
        return try telling {
            let last = tokens.count - 1
            let logarithms = try logSoftmax(logits[0..<last])
            let targets = try Tensor(tokens.dropFirst().map { Int32($0) }, shape: [last, 1])
            return try -logarithms.gathered(targets, along: 1).squeezed(1)
        }
    }

    /// What each head writes to the stream: z W_O of each, `[T, H, D]`. Their sum and b_O are `attentionOut`, but for a
    /// norm after it.
    ///
    /// - Parameter cache: Cache of a run that captured `z` of the layer.
    /// - Source: TransformerLens, `attn.hook_result`.
    public func headResults(
        layer: Int, _ cache: ActivationCache<Scalar>
    ) throws(Problem) -> Tensor<Scalar> {
        guard weights.blocks.indices.contains(layer) else { throw .noHook(Hook.z(layer: layer).name, among: hooks) }
        let z = try cache[.z(layer: layer)]
        return try telling { try matmul(z.permuted([1, 0, 2]), weights.blocks[layer].output).permuted([1, 0, 2]) }
    }
}
