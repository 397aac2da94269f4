internal import Kernels
internal import Synchronization
internal import Tensors

/// One attention: its operands [batch, row, head, width], checked, and which keys each query sees.
struct AttentionCall<S: FloatingAccumulator> {
    let q: Tensor<S>
    let k: Tensor<S>
    let v: Tensor<S>
    let sizes: AttentionSizes

    /// What the way back needs.
    struct Result {
        /// `[batch, queries, heads, width]`.
        let output: Tensor<S>
        /// `[batch, heads, queries]`.
        let logSumExp: Tensor<S>
    }

    init(
        q: Tensor<S>, k: Tensor<S>, v: Tensor<S>, isCausal: Bool, window: Int?, scale: Double?
    ) throws(TensorError) {
        let name = "attention"
        guard q.rank == 4, k.rank == 4, k.shape == v.shape, q.shape[0] == k.shape[0], q.shape[3] == k.shape[3],
            k.shape[2] > 0, q.shape[2] > 0, q.shape[2] % k.shape[2] == 0
        else {
            throw TensorError(
                name, shapes: [q.shape, k.shape, v.shape],
                problem: "are incompatible: expected [batch, position, heads, width], keys and values of equal "
                    + "shape, and query heads divisible by key heads")
        }
        guard window ?? 1 > 0 else { throw TensorError(name, problem: "needs a window of at least 1, not \(window!)") }
        self.q = try Self.withRows(q)
        self.k = try Self.withRows(k)
        self.v = try Self.withRows(v)
        sizes = AttentionSizes(
            batch: q.shape[0], heads: q.shape[2], kvHeads: k.shape[2], queries: q.shape[1], keys: k.shape[1],
            width: q.shape[3], isCausal: isCausal, window: window,
            scale: scale ?? 1 / Double(max(1, q.shape[3])).squareRoot())
    }

    /// The tensor with the numbers of each row side by side: itself, or a copy.
    private static func withRows(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> {
        x.strides[3] == 1 || x.shape[3] == 1 ? x : try x.contiguous()
    }

    func forward() throws(TensorError) -> Result {
        let result = Result(
            output: try Tensor.unfilled(q.shape),
            logSumExp: try Tensor.unfilled([sizes.batch, sizes.heads, sizes.queries]))
        defer { withExtendedLifetime((self, result)) {} }
        guard q.count > 0 else { return result }
        guard S.self == Float.self, sizes.keys > 0 else {
            GradientTwin.attention(
                sizes, q: rows(q), k: rows(k), v: rows(v), into: rows(result.output),
                logSumExp: result.logSumExp.base)
            return result
        }
        try forEachItem { item, pool throws(KernelError) in
            try Attention.forward(
                q: view(q, item).reading, k: view(k, item).reading, v: view(v, item).reading,
                into: view(result.output, item), logSumExp: logSumExp(result, item), shape: shape, pool: pool)
        }
        return result
    }

    /// Writes the gradients, which may be views of uninitialized memory.
    func backward(
        _ result: Result, _ outputGradient: Tensor<S>, into gradients: (q: Tensor<S>, k: Tensor<S>, v: Tensor<S>)
    ) throws(TensorError) {
        let dOutput = try Self.withRows(outputGradient)
        defer { withExtendedLifetime((self, result, dOutput, gradients)) {} }
        guard S.self == Float.self, sizes.keys > 0, q.count > 0 else {
            GradientTwin.attentionBackward(
                sizes, q: rows(q), k: rows(k), v: rows(v), o: rows(result.output), logSumExp: result.logSumExp.base,
                outputGradient: rows(dOutput), dq: rows(gradients.q), dk: rows(gradients.k), dv: rows(gradients.v))
            return
        }
        let delta = try Tensor<S>.unfilled(result.logSumExp.shape)
        defer { withExtendedLifetime(delta) {} }
        try forEachItem { item, pool throws(KernelError) in
            try Attention.backward(
                q: view(q, item).reading, k: view(k, item).reading, v: view(v, item).reading,
                o: view(result.output, item).reading, logSumExp: logSumExp(result, item),
                outputGradient: view(dOutput, item).reading,
                into: (view(gradients.q, item), view(gradients.k, item), view(gradients.v, item)),
                delta: delta.newFloats + item * sizes.heads * sizes.queries, shape: shape, pool: pool)
        }
    }

    /// Hands the items of the batch to threads; a single one is shared by all of them.
    private func forEachItem(
        _ body: (_ item: Int, _ pool: ThreadPool) throws(KernelError) -> Void
    ) throws(TensorError) {
        let failure = Mutex<KernelError?>(nil)
        let pool = sizes.batch == 1 ? ThreadPool.shared : .single
        withoutActuallyEscaping(body) { body in
            (sizes.batch == 1 ? ThreadPool.single : .shared).run(chunks: sizes.batch) { item, _ in
                do throws(KernelError) {
                    try body(item, pool)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        if let error = failure.withLock({ $0 }) { throw TensorError("attention", error) }
    }

    private var shape: AttentionShape {
        AttentionShape(
            heads: sizes.heads, kvHeads: sizes.kvHeads, queries: sizes.queries, keys: sizes.keys, width: sizes.width,
            isCausal: sizes.isCausal, window: sizes.window, scale: Float(sizes.scale))
    }

    private func rows(_ x: Tensor<S>) -> HeadRows<S> {
        HeadRows(start: x.base, batchStride: x.strides[0], headStride: x.strides[2], rowStride: x.strides[1])
    }

    private func view(_ x: Tensor<S>, _ item: Int) -> MutableAttentionView {
        MutableAttentionView(
            x.newFloats + item * x.strides[0], headStride: x.strides[2], rowStride: x.strides[1])
    }

    private func logSumExp(_ result: Result, _ item: Int) -> UnsafeMutablePointer<Float> {
        result.logSumExp.newFloats + item * sizes.heads * sizes.queries
    }
}
