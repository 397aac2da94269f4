internal import CKernels

/// softmax(scale Q Kᵀ + mask) V and its gradients, by flash attention: scores are never kept.
///
/// ```swift
/// // q and o hold 8 x 1024 x 64 numbers, k and v 2 x 1024 x 64; the views' owners live until the call is over.
/// try Attention.forward(
///     q: AttentionView(q.pointer, rows: 1024, width: 64), k: AttentionView(k.pointer, rows: 1024, width: 64),
///     v: AttentionView(v.pointer, rows: 1024, width: 64),
///     into: MutableAttentionView(o.pointer, rows: 1024, width: 64),
///     shape: AttentionShape(heads: 8, kvHeads: 2, queries: 1024, width: 64, isCausal: true))
/// ```
///
/// The same input gives the same bits for any number of threads, and a query has the same bits alone as among others:
/// tiles of keys begin at fixed keys, and hidden keys weigh exactly 0. (But 0 × ∞ is not a number: a value that is not
/// finite reaches rows that do not see it, where its key is visible to a row next to them.)
///
/// - Source: Dao, Fu, Ermon, Rudra, Ré, FlashAttention, NeurIPS 2022; Dao, FlashAttention-2, 2023, algorithms 1 and 2.
public enum Attention {
    /// O = softmax(scale Q Kᵀ + mask) V, for every head.
    ///
    /// A row that sees no key is zero. Memory next to the operands: at most 1 MiB a thread up to a width of 256.
    ///
    /// - Parameters:
    ///   - logSumExp: `[heads, queries]`: log Σ exp of the scaled scores of a row, -∞ where it sees none. The backward
    ///     needs it.
    /// - Throws: `KernelError.shape`, `.unavailable` or `.memory`.
    public static func forward(
        q: AttentionView, k: AttentionView, v: AttentionView, into o: MutableAttentionView,
        logSumExp: UnsafeMutablePointer<Float>? = nil, shape: AttentionShape, path: AttentionPath = .automatic,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try shape.check("attention")
        let path = try path.resolved()
        var call = orrery_attention(shape, q: q, k: k, v: v)
        call.o = o.results
        call.log_sum_exp = logSumExp
        let kernel = path.forward
        run(&call, chunks: orrery_attention_query_chunks(&call), pool: pool) { kernel($0, $1) }
        guard call.failed == 0 else { throw .memory(bytes: scratchBytes(shape)) }
    }

    /// dQ, dK and dV from dO, with what the forward returned; what the gradients held is overwritten.
    ///
    /// Scores are computed again from the log-sum-exp. Each gradient has one owner and one order of sums: first chunks
    /// of queries, then chunks of keys, no atomic additions.
    ///
    /// - Parameters:
    ///   - o: the output of the forward.
    ///   - logSumExp: `[heads, queries]` of the forward.
    ///   - outputGradient: dO; its strides are its own.
    /// - Throws: `KernelError.shape`, `.unavailable` or `.memory`.
    public static func backward(
        q: AttentionView, k: AttentionView, v: AttentionView, o: AttentionView, logSumExp: UnsafePointer<Float>,
        outputGradient: AttentionView,
        into gradients: (q: MutableAttentionView, k: MutableAttentionView, v: MutableAttentionView),
        shape: AttentionShape, path: AttentionPath = .automatic, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try shape.check("attention-backward")
        let path = try path.resolved()
        let delta = try AlignedBuffer<Float>(count: shape.heads * shape.queries)
        var call = orrery_attention(shape, q: q, k: k, v: v)
        call.place(o: o, logSumExp: logSumExp, outputGradient: outputGradient, gradients, delta: delta.pointer)
        withExtendedLifetime(delta) { runBackward(&call, path.backward, pool: pool) }
        guard call.failed == 0 else { throw .memory(bytes: scratchBytes(shape)) }
    }

    static func runBackward(
        _ call: inout orrery_attention, _ kernels: (queries: AttentionPath.Chunk, keys: AttentionPath.Chunk),
        pool: ThreadPool
    ) {
        run(&call, chunks: orrery_attention_query_chunks(&call), pool: pool) { kernels.queries($0, $1) }
        guard call.failed == 0 else { return }
        run(&call, chunks: orrery_attention_key_chunks(&call), pool: pool) { kernels.keys($0, $1) }
    }

    static func run(
        _ call: inout orrery_attention, chunks: Int, pool: ThreadPool,
        _ kernel: (UnsafeMutablePointer<orrery_attention>, Int) -> Void
    ) {
        withUnsafeMutablePointer(to: &call) { call in pool.run(chunks: chunks) { chunk, _ in kernel(call, chunk) } }
    }

    /// Maximum memory of a thread: two tiles of scores and four operands of two panels of 64 rows.
    static func scratchBytes(_ shape: AttentionShape) -> Int { 4 * (2 * 192 * 64 + 2 * 4 * 64 * shape.width) }
}
