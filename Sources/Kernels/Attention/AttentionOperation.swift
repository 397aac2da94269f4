internal import CKernels

extension KernelOperation {
    /// softmax(scale Q Kᵀ + mask) V.
    public static let attention = KernelOperation(
        "attention", title: "attention, float32", dimensions: AttentionShape.dimensions,
        presets: [
            .attention(queries: 4096, keys: 4096, d: 64),
            .attention(queries: 1024, keys: 1024, d: 64),
            .attention(queries: 4096, keys: 4096, d: 64, causal: 1),
            .attention(queries: 4096, keys: 4096, d: 64, causal: 1, window: 512),
            .attention(heads: 8, kvheads: 2, queries: 1024, keys: 1024, d: 128, causal: 1),
            .attention(heads: 8, kvheads: 2, queries: 1, keys: 8192, d: 128),
        ],
        square: { .attention(queries: $0, keys: $0, d: 64) }, arithmetic: .float32,
        costFormula: "4 d FLOP per visible pair of query and key, 4 (2 heads queries + 2 kvheads keys) d B",
        cost: { AttentionShape($0).forwardCost },
        problem: { shape, seed throws(KernelError) in try AttentionProblem(AttentionShape(shape), seed: seed) },
        variants: [
            KernelVariant(
                "naive", idea: "three loops: all scores, their softmax, and the weighted values",
                sources: ["CKernels/attention/naive.c", "CKernels/attention/attention_rows.h"],
                traffic: { AttentionShape($0).forwardTrafficWithScores }
            ) { (problem: AttentionProblem, _) in problem.naive() },
            KernelVariant(
                "gemm", idea: "the same with matrix products and the fastest softmax; still stores all scores",
                sources: ["CKernels/matrix_product/sgemm_avx512.c", "CKernels/rows/softmax_overlapped.c"],
                traffic: { AttentionShape($0).forwardTrafficWithScores }
            ) { (problem: AttentionProblem, pool) in problem.products(pool) },
            flash("flash-portable", .portable, idea: "tiles of keys with a running maximum; scores stay in the cache"),
            flash("flash-avx2", .avx2, idea: "the queries of a panel side by side in vectors of 8, tiles of 6 x 16"),
            flash(
                "flash-avx512", .avx512, idea: "vectors of 16, tiles of 6 x 64 that fill the registers"),
            flash("flash-threads", .automatic, isParallel: true, idea: "chunks of 128 query rows, the longest first"),
        ])

    private static func flash(
        _ name: String, _ path: AttentionPath, isParallel: Bool = false, idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: path.sources(part: "flash_forward.h"), needs: path.needs, isParallel: isParallel
        ) { (problem: AttentionProblem, pool) in problem.flash(path, pool) }
    }
}

extension AttentionProblem {
    private var call: orrery_attention {
        var call = orrery_attention(shape, q: queryView, k: keyView, v: valueView)
        call.o = outputView.results
        call.log_sum_exp = logSumExp.pointer
        return call
    }

    fileprivate func naive() -> () -> Void {
        prepared { () throws(KernelError) in
            let scores = try scores()
            let call = call
            return { withExtendedLifetime(self) { withUnsafePointer(to: call) { orrery_attention_naive($0, scores) } } }
        }
    }

    fileprivate func flash(_ path: AttentionPath, _ pool: ThreadPool) -> () -> Void {
        var call = call
        let (kernel, chunks) = (path.forward, orrery_attention_query_chunks(&call))
        // Without memory for its tiles a thread leaves the poison in its rows.
        return { withExtendedLifetime(self) { Attention.run(&call, chunks: chunks, pool: pool) { kernel($0, $1) } } }
    }
}

extension AttentionPath {
    /// What the panel shows: the instructions, the algorithm, the two products.
    func sources(part: String) -> [String] {
        ["flash_\(chosen.rawValue).c", part, "panel_products.h", "panel.h"].map { "CKernels/attention/\($0)" }
    }
}

extension KernelShape {
    static func attention(
        heads: Int = 1, kvheads: Int = 1, queries: Int, keys: Int, d: Int, causal: Int = 0, window: Int = 0
    ) -> KernelShape {
        KernelShape([
            "heads": heads, "kvheads": kvheads, "queries": queries, "keys": keys, "d": d, "causal": causal,
            "window": window,
        ])
    }
}

extension AttentionShape {
    static let dimensions = [
        KernelOperation.Dimension("heads", "query heads", in: 1...4096),
        KernelOperation.Dimension("kvheads", "key and value heads, a divisor of heads", in: 1...4096),
        KernelOperation.Dimension("queries", "query rows per head"),
        KernelOperation.Dimension("keys", "keys per head"),
        KernelOperation.Dimension("d", "head width", in: 1...256),
        KernelOperation.Dimension("causal", "1 if queries do not see later keys, otherwise 0", in: 0...1),
        KernelOperation.Dimension(
            "window",
            "number of most recent keys a query sees, including its own; 0 for all", in: 0...(1 << 24)),
    ]

    init(_ shape: KernelShape) {
        let window = shape["window"]
        self.init(
            heads: shape["heads"], kvHeads: shape["kvheads"], queries: shape["queries"], keys: shape["keys"],
            width: shape["d"], isCausal: shape["causal"] != 0, window: window == 0 ? nil : window)
    }
}
