internal import Kernels

/// The rows that are wanted become logits: final norm, output matrix, cap.
struct Unembedding: Sendable {
    let norm: Norm
    let output: Projection
    /// c of c·tanh(z / c), Gemma 2.
    let softcap: Float?

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        let rows = pass.outputRows
        let vocabulary = output.outputs
        let logits = try pass.floats(.logits, rows * vocabulary)
        guard rows > 0 else { return }
        if !pass.isNarrow { try pass.narrow([]) }
        let residual = try pass.floats(.residual, rows * pass.width)
        let normalized = try pass.floats(.normalized, rows * pass.width)
        try norm(pass, residual, rows: rows, into: normalized)
        try output(pass, normalized, xStride: pass.width, rows: rows, into: logits)
        if let softcap {
            pass.overRows(rows, width: 8 * vocabulary) { range in
                for row in range { Elementwise.softcap(logits + row * vocabulary, at: softcap, count: vocabulary) }
            }
        }
        try pass.visit(.logits, logits, stride: vocabulary, shape: [vocabulary])
    }
}
