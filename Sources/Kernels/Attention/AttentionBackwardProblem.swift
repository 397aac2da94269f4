/// Operands and results of a forward, an output gradient, and the gradients that rungs of `attention-backward` fill.
package final class AttentionBackwardProblem: KernelProblem {
    package let forward: AttentionProblem
    package let dO, dQ, dK, dV, delta: AlignedBuffer<Float>
    private let seed: UInt64
    private var matrices: AlignedBuffer<Float>?

    package init(_ shape: AttentionShape, seed: UInt64) throws(KernelError) {
        self.seed = seed
        forward = try AttentionProblem(shape, seed: seed)
        dO = try AlignedBuffer(count: forward.q.count)
        dQ = try AlignedBuffer(count: forward.q.count)
        dK = try AlignedBuffer(count: forward.k.count)
        dV = try AlignedBuffer(count: forward.v.count)
        delta = try AlignedBuffer(count: forward.logSumExp.count)
        var noise = AttentionNoise(seed: ~seed)
        noise.fill(dO)
        try Attention.forward(
            q: forward.queryView, k: forward.keyView, v: forward.valueView, into: forward.outputView,
            logSumExp: forward.logSumExp.pointer, shape: shape)
    }

    package var shape: AttentionShape { forward.shape }
    package var outputGradientView: AttentionView { AttentionView(dO.pointer, rows: shape.queries, width: shape.width) }
    package var gradients: (q: MutableAttentionView, k: MutableAttentionView, v: MutableAttentionView) {
        (
            MutableAttentionView(dQ.pointer, rows: shape.queries, width: shape.width),
            MutableAttentionView(dK.pointer, rows: shape.keys, width: shape.width),
            MutableAttentionView(dV.pointer, rows: shape.keys, width: shape.width)
        )
    }

    /// Two matrices `[queries, keys]` for the rung that keeps P and dS of a head.
    func weightsAndGradients() throws(KernelError) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) {
        let pairs = shape.queries * shape.keys
        if let matrices { return (matrices.pointer, matrices.pointer + pairs) }
        let memory = try AlignedBuffer<Float>(count: 2 * pairs)
        matrices = memory
        return (memory.pointer, memory.pointer + pairs)
    }

    package var workingSet: Int { forward.workingSet + [dO, dQ, dK, dV, delta].reduce(0) { $0 + $1.byteCount } }

    package func poisonOutput() {
        forward.shortage = nil
        for buffer in [dQ, dK, dV, delta] { buffer.elements.update(repeating: .nan) }
    }

    package func agreement() -> KernelAgreement {
        if let shortage = forward.shortage { return .nothing(shortage) }
        let twin = AttentionGradientTwin(
            forward: forward.twin, o: forward.outputView.reading, logSumExp: UnsafePointer(forward.logSumExp.pointer),
            outputGradient: outputGradientView)
        var worst = AttentionDifference()
        func compare(
            _ row: AttentionGradientTwin.Row, with buffer: AlignedBuffer<Float>, at index: Int, _ name: String
        ) {
            for c in 0..<shape.width {
                worst.see(
                    "\(name), element \(c)", found: buffer[index * shape.width + c], expected: row.gradient[c],
                    tolerance: row.tolerance[c])
            }
        }
        let pairs = shape.visiblePairs
        let queryCost = 6 * shape.width * (pairs / shape.queries + 1)
        for (head, query) in AttentionSample.rows(shape.heads, shape.queries, costEach: queryCost, seed: seed) {
            let row = twin.queryRow(head: head, query: query)
            compare(row, with: dQ, at: head * shape.queries + query, "dQ of head \(head), query \(query)")
        }
        let keyCost = 8 * shape.width * (shape.heads / shape.kvHeads) * (pairs / shape.keys + 1) + shape.queries
        for (head, key) in AttentionSample.rows(shape.kvHeads, shape.keys, costEach: keyCost, seed: seed) {
            let rows = twin.keyRow(kvHead: head, key: key)
            compare(rows.key, with: dK, at: head * shape.keys + key, "dK of head \(head), key \(key)")
            compare(rows.value, with: dV, at: head * shape.keys + key, "dV of head \(head), key \(key)")
        }
        return worst.agreement(
            bound: "with r = (4√terms + 8 + (8√d + 4) scale Σ|q||k| + 4|L|) u: for dV r Σ P|dO|, "
                + "for dQ and dK r Σ|dS||k| + 4√d u Σ P(Σ|dO||v| + Σ|dO||o|)|k|")
    }
}
