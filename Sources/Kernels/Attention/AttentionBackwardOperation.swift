internal import CKernels

extension KernelOperation {
    /// dQ, dK and dV of attention.
    public static let attentionBackward = KernelOperation(
        "attention-backward", title: "gradients of attention, float32", dimensions: AttentionShape.dimensions,
        presets: [
            .attention(queries: 1024, keys: 1024, d: 64),
            .attention(queries: 4096, keys: 4096, d: 64),
            .attention(queries: 4096, keys: 4096, d: 64, causal: 1),
            .attention(heads: 8, kvheads: 2, queries: 1024, keys: 1024, d: 128, causal: 1),
        ],
        square: { .attention(queries: $0, keys: $0, d: 64) }, arithmetic: .float32,
        costFormula: "10 d FLOP per visible pair (five products, including recomputing the scores), "
            + "4 (4 heads queries + 4 kvheads keys) d + 4 heads queries B",
        cost: { AttentionShape($0).backwardCost },
        problem: { shape, seed throws(KernelError) in try AttentionBackwardProblem(AttentionShape(shape), seed: seed) },
        variants: [
            KernelVariant(
                "naive", idea: "whole matrices of weights and gradients, five products as loops",
                sources: ["CKernels/attention/naive_backward.c", "CKernels/attention/attention_rows.h"],
                traffic: { AttentionShape($0).backwardTrafficWithScores }
            ) { (problem: AttentionBackwardProblem, _) in problem.naive() },
            flash(
                "flash-portable", .portable,
                idea: "recomputes weights from the log-sum-exp, tile by tile, in two passes"),
            flash("flash-avx2", .avx2, idea: "the panels of the forward pass in vectors of 8"),
            flash("flash-avx512", .avx512, idea: "the panels of the forward pass in vectors of 16"),
            flash(
                "flash-threads", .automatic, isParallel: true,
                idea: "chunks of queries own dQ, chunks of keys own dK and dV: no atomic additions"),
        ])

    private static func flash(
        _ name: String, _ path: AttentionPath, isParallel: Bool = false, idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: path.sources(part: "flash_backward.h"), needs: path.needs,
            isParallel: isParallel
        ) { (problem: AttentionBackwardProblem, pool) in problem.flash(path, pool) }
    }
}

extension AttentionBackwardProblem {
    private var call: orrery_attention {
        var call = orrery_attention(shape, q: forward.queryView, k: forward.keyView, v: forward.valueView)
        call.place(
            o: forward.outputView.reading, logSumExp: forward.logSumExp.pointer, outputGradient: outputGradientView,
            gradients, delta: delta.pointer)
        return call
    }

    fileprivate func naive() -> () -> Void {
        forward.prepared { () throws(KernelError) in
            let (weights, weightGradients) = try weightsAndGradients()
            let call = call
            return {
                withExtendedLifetime(self) {
                    withUnsafePointer(to: call) { orrery_attention_backward_naive($0, weights, weightGradients) }
                }
            }
        }
    }

    fileprivate func flash(_ path: AttentionPath, _ pool: ThreadPool) -> () -> Void {
        var call = call
        let kernels = path.backward
        return { withExtendedLifetime(self) { Attention.runBackward(&call, kernels, pool: pool) } }
    }
}
