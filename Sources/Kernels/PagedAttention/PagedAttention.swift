internal import CKernels

/// softmax(mask(cap(scale Q Kᵀ) + ALiBi)) V over keys and values in pages: decoding, prefill, and everything between.
///
/// ```swift
/// // A pass of 3 tokens at positions 70, 71, 72: k, v are [3, kvHeads, width], q and o [3, heads, width].
/// try PagedAttention.append(
///     keys: k, keyStride: 256, values: v, valueStride: 256, count: 3, at: 70, into: sequence.pages(layer: 0))
/// try PagedAttention.forward(
///     q: q, qStride: 2048, into: o, oStride: 2048, pages: sequence.pages(layer: 0),
///     shape: PagedAttentionShape(heads: 32, kvHeads: 4, queries: 3, firstPosition: 70, scale: 0.125))
/// ```
///
/// The same input gives the same bits for any number of threads: rows and keys are cut by the sizes alone, and the runs
/// of a row are merged in their order. (A value that is not finite reaches the rows next to those that see it.)
///
/// - Source: Kwon et al., Efficient Memory Management for LLM Serving with PagedAttention, SOSP 2023; Dao,
///   FlashAttention-2, 2023, algorithm 1; runs of keys as in Dao et al., Flash-Decoding, 2023.
public enum PagedAttention {
    /// Writes keys and values of `count` positions, from `position` on.
    ///
    /// - Parameters:
    ///   - keys: `[count, kvHeads, keyWidth]`, `keyStride` numbers from a position to the next.
    ///   - values: `[count, kvHeads, valueWidth]`, `valueStride` numbers from a position to the next.
    /// - Throws: `KernelError.shape` where the pages do not reach so far.
    public static func append(
        keys: UnsafePointer<Float>, keyStride: Int, values: UnsafePointer<Float>, valueStride: Int, count: Int,
        at position: Int, into pages: PagedKeyValues
    ) throws(KernelError) {
        guard count >= 0, position >= 0, count <= 1 << 30, position <= 1 << 30 else {
            throw .shape(
                operation: "paged attention",
                problem: "invalid range: \(count) positions starting at \(position)")
        }
        try pages.check(positions: position + count)
        pages.withCPages {
            orrery_paged_append($0, keys, keyStride, values, valueStride, count, position)
        }
    }

    /// O for every query and head; a row that sees nothing is zero.
    ///
    /// - Parameters:
    ///   - q: `[queries, heads, keyWidth]`, `qStride` numbers from a query to the next.
    ///   - o: `[queries, heads, valueWidth]`, `oStride` numbers from a query to the next.
    /// - Throws: `KernelError.shape`, `.unavailable` or `.memory`.
    public static func forward(
        q: UnsafePointer<Float>, qStride: Int, into o: UnsafeMutablePointer<Float>, oStride: Int,
        pages: PagedKeyValues, shape: PagedAttentionShape, path: AttentionPath = .automatic,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try shape.check(pages)
        let kernel = try path.resolved("paged attention").paged
        let work = shape.products(keyWidth: pages.keyWidth, valueWidth: pages.valueWidth)
        let pool = work < leastForThreads ? .single : pool
        let isWhole = pages.withCPages { pages in
            withSlopes(shape.alibiSlopes) { slopes in
                var call = orrery_paged_attention(shape, pages: pages.pointee, slopes: slopes)
                call.q = q
                call.q_stride = qStride
                call.o = o
                call.o_stride = oStride
                return run(&call, kernel, pool: pool)
            }
        }
        guard isWhole else { throw .memory(bytes: scratchBytes(shape, pages)) }
    }

    /// Below this number of products, a second thread costs more than it saves: about 20 µs of one.
    private static let leastForThreads = 1 << 19

    /// False where memory was short.
    private static func run(
        _ call: inout orrery_paged_attention, _ kernel: AttentionPath.PagedChunk, pool: ThreadPool
    ) -> Bool {
        let partials = orrery_paged_attention_partials(&call)
        if partials > 0 {
            guard let memory = orrery_paged_attention_memory(partials) else { return false }
            call.partials = memory
        }
        let chunks = orrery_paged_attention_chunks(&call)
        withUnsafeMutablePointer(to: &call) { call in pool.run(chunks: chunks) { chunk, _ in kernel(call, chunk) } }
        guard call.failed == 0 else { return false }
        orrery_paged_attention_merge(&call)
        return true
    }

    /// What a thread asks for, without the runs of a long context.
    private static func scratchBytes(_ shape: PagedAttentionShape, _ pages: PagedKeyValues) -> Int {
        4 * 64 * (128 + pages.keyWidth + pages.valueWidth)
    }

    private static func withSlopes<Result>(
        _ slopes: [Float]?, _ body: (UnsafePointer<Float>?) -> Result
    ) -> Result {
        guard let slopes else { return body(nil) }
        return slopes.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

extension orrery_paged_attention {
    fileprivate init(_ shape: PagedAttentionShape, pages: orrery_pages, slopes: UnsafePointer<Float>?) {
        self.init()
        self.pages = pages
        heads = shape.heads
        queries = shape.queries
        first_position = shape.firstPosition
        length = shape.length
        causal = shape.isCausal ? 1 : 0
        window = shape.window ?? 0
        scale = shape.scale
        softcap = shape.softcap ?? 0
        alibi_slopes = slopes
    }
}

extension PagedKeyValues {
    fileprivate func withCPages<Result>(_ body: (UnsafePointer<orrery_pages>) -> Result) -> Result {
        keys.withUnsafeBufferPointer { keys in
            values.withUnsafeBufferPointer { values in
                // An optional pointer is laid out as a pointer, and C's lists hold such ones.
                keys.withMemoryRebound(to: UnsafeMutablePointer<Float>?.self) { keys in
                    values.withMemoryRebound(to: UnsafeMutablePointer<Float>?.self) { values in
                        var pages = orrery_pages()
                        pages.keys = keys.baseAddress
                        pages.values = values.baseAddress
                        pages.page_size = pageSize
                        pages.kv_heads = kvHeads
                        pages.key_width = keyWidth
                        pages.value_width = valueWidth
                        return withUnsafePointer(to: pages, body)
                    }
                }
            }
        }
    }
}
