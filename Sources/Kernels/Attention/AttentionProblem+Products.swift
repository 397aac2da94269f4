internal import CKernels

extension AttentionProblem {
    /// The naive way on the best products and the best softmax of this processor, with all scores of a head: what flash
    /// attention has to beat. It gives no log-sum-exp.
    func products(_ pool: ThreadPool) -> () -> Void {
        prepared { () throws(KernelError) in
            let scores = try scores()
            let scaled = try AlignedBuffer<Float>(count: shape.queries * shape.width)
            return {
                self.keepsLogSumExp = false
                do throws(KernelError) {
                    for head in 0..<self.shape.heads { try self.multiply(head, scaled, scores, pool: pool) }
                } catch {
                    self.shortage = error
                }
            }
        }
    }

    private func multiply(
        _ head: Int, _ scaled: AlignedBuffer<Float>, _ scores: UnsafeMutablePointer<Float>, pool: ThreadPool
    ) throws(KernelError) {
        let (queries, keys, width) = (shape.queries, shape.keys, shape.width)
        let kvHead = head / (shape.heads / shape.kvHeads)
        // Scaling Q costs d multiplications a query instead of one a score.
        let q = queryView.row(head, 0)
        for i in 0..<queries * width { scaled.pointer[i] = q[i] * shape.scale }
        try MatrixProduct.multiply(
            MatrixView(UnsafePointer(scaled.pointer), rows: queries, columns: width),
            MatrixView(keyView.row(kvHead, 0), rows: keys, columns: width).transposed,
            into: MutableMatrixView(scores, rows: queries, columns: keys), pool: pool)
        var call = orrery_attention(shape, q: queryView, k: keyView, v: valueView)
        if shape.visiblePairs < queries * keys { orrery_attention_mask(&call, scores) }
        Rows.softmax(scores, into: scores, rows: queries, columns: keys, pool: pool)
        for query in 0..<queries where shape.visibleKeys(query: query).isEmpty {
            (scores + query * keys).update(repeating: 0, count: keys)  // the softmax of nothing is not a number
        }
        try MatrixProduct.multiply(
            MatrixView(UnsafePointer(scores), rows: queries, columns: keys),
            MatrixView(valueView.row(kvHead, 0), rows: keys, columns: width),
            into: MutableMatrixView(o.pointer + head * queries * width, rows: queries, columns: width), pool: pool)
    }
}
