internal import CKernels

extension Attention {
    /// The gradients of `backward` with memory for Σ dO O of each row from the caller: where small items follow one
    /// another, asking for it each time would cost more than the work.
    ///
    /// - Parameter delta: `[heads, queries]`, written.
    package static func backward(
        q: AttentionView, k: AttentionView, v: AttentionView, o: AttentionView, logSumExp: UnsafePointer<Float>,
        outputGradient: AttentionView,
        into gradients: (q: MutableAttentionView, k: MutableAttentionView, v: MutableAttentionView),
        delta: UnsafeMutablePointer<Float>, shape: AttentionShape, pool: ThreadPool
    ) throws(KernelError) {
        try shape.check("attention-backward")
        var call = orrery_attention(shape, q: q, k: k, v: v)
        call.place(o: o, logSumExp: logSumExp, outputGradient: outputGradient, gradients, delta: delta)
        runBackward(&call, AttentionPath.automatic.backward, pool: pool)
        guard call.failed == 0 else { throw .memory(bytes: scratchBytes(shape)) }
    }
}
