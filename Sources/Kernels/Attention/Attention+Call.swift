internal import CKernels

/// How Swift's operands become those of the C kernels.
extension orrery_attention {
    init(_ shape: AttentionShape, q: AttentionView, k: AttentionView, v: AttentionView) {
        self.init()
        heads = shape.heads
        kv_heads = shape.kvHeads
        queries = shape.queries
        keys = shape.keys
        width = shape.width
        causal = shape.isCausal ? 1 : 0
        window = shape.window.map { min($0, shape.keys) } ?? 0
        scale = shape.scale
        self.q = q.rows
        self.k = k.rows
        self.v = v.rows
    }

    mutating func place(
        o: AttentionView, logSumExp: UnsafePointer<Float>, outputGradient: AttentionView,
        _ gradients: (q: MutableAttentionView, k: MutableAttentionView, v: MutableAttentionView),
        delta: UnsafeMutablePointer<Float>
    ) {
        // The backward only reads these two, which the forward writes through the same fields.
        self.o =
            MutableAttentionView(
                UnsafeMutablePointer(mutating: o.pointer), headStride: o.headStride, rowStride: o.rowStride
            ).results
        log_sum_exp = UnsafeMutablePointer(mutating: logSumExp)
        d_o = outputGradient.rows
        d_q = gradients.q.results
        d_k = gradients.k.results
        d_v = gradients.v.results
        self.delta = delta
    }
}

extension AttentionView {
    var rows: orrery_attention_rows {
        orrery_attention_rows(start: pointer, head_stride: headStride, row_stride: rowStride)
    }
}

extension MutableAttentionView {
    var results: orrery_attention_results {
        orrery_attention_results(start: pointer, head_stride: headStride, row_stride: rowStride)
    }
}
