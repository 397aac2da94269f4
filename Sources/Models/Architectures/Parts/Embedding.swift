internal import Glibc
internal import Kernels

/// Tokens become rows of the residual stream: token embeddings, with positions where the model adds them.
struct Embedding: Sendable {
    let tokens: WeightMatrix
    let scale: Float
    let positions: Positions
    /// Segments of a BERT.
    let types: WeightMatrix?
    /// BERT normalizes the sum.
    let norm: Norm?

    enum Positions: Sendable {
        /// Attention tells positions apart, or nothing does.
        case none
        case learned(WeightMatrix)
        case sinusoidal
    }

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        let start = pass.now()
        let width = pass.width
        let residual = try pass.floats(.residual, pass.rows * width)
        // Decoding a row is a few operations a number.
        pass.overRows(pass.rows, width: 4 * width) { range in
            for row in range {
                tokens.decode(row: Int(pass.tokens[row]), into: residual + row * width)
                if scale != 1 { Elementwise.scale(residual + row * width, by: scale, count: width) }
            }
        }
        try pass.visit(.embedding, residual, stride: width, shape: [width])
        try addPositions(pass, residual)
        try addTypes(pass, residual)
        try norm?(pass, residual, rows: pass.rows, into: residual)
        pass.record(.embedding, since: start)
    }

    private func addPositions(_ pass: ForwardPass, _ residual: UnsafeMutablePointer<Float>) throws(ModelError) {
        if case .none = positions { return }
        let width = pass.width
        let rows = try pass.floats(.delta, pass.rows * width)
        for stretch in pass.stretches {
            pass.overRows(stretch.count, width: 4 * width) { range in
                for index in range {
                    fill(position: stretch.firstPosition + index, width, rows + (stretch.firstRow + index) * width)
                }
            }
        }
        try pass.visit(.positionEmbedding, rows, stride: width, shape: [width])
        try pass.addDeltaToResidual()
    }

    private func fill(position: Int, _ width: Int, _ row: UnsafeMutablePointer<Float>) {
        switch positions {
        case .none: break
        case .learned(let table): table.decode(row: position, into: row)
        case .sinusoidal: Self.sinusoids(position: position, width: width, into: row)
        }
    }

    /// PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i + 1) = cos(p / 10000^(2i/D)).
    ///
    /// - Source: Vaswani et al., Attention is all you need, 2017, section 3.5.
    static func sinusoids(position: Int, width: Int, into row: UnsafeMutablePointer<Float>) {
        for column in 0..<width {
            let angle = Double(position) / pow(10000, Double(column / 2 * 2) / Double(width))
            row[column] = Float(column % 2 == 0 ? sin(angle) : cos(angle))
        }
    }

    private func addTypes(_ pass: ForwardPass, _ residual: UnsafeMutablePointer<Float>) throws(ModelError) {
        guard let types else { return }
        let width = pass.width
        let rows = try pass.floats(.delta, pass.rows * width)
        for row in 0..<pass.rows {
            types.decode(row: pass.tokenTypes.isEmpty ? 0 : pass.tokenTypes[row], into: rows + row * width)
        }
        try pass.addDeltaToResidual()
    }
}
