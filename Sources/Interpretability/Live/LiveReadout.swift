internal import Kernels
internal import Models
internal import Tensors

/// A readout from residual rows to logits: final norm, W_U, and cap, with the output matrix in place in the file.
///
/// `readout` copies it as float32, for what needs W_U itself.
struct LiveReadout: Sendable {
    let width: Int
    let vocabularySize: Int
    private let isCentered: Bool
    private let gain: [Float]
    private let bias: [Float]?
    private let epsilon: Float
    private let output: WeightMatrix
    private let outputBias: [Float]?
    private let softcap: Float?

    init(_ checkpoint: any Checkpoint) throws(InterpretabilityError) {
        let c = checkpoint.configuration
        let isCentered = c.family.norm == .layer
        (width, vocabularySize, epsilon, softcap) = (c.width, c.vocabularySize, c.normEpsilon, c.finalSoftcap)
        self.isCentered = isCentered
        (gain, bias, output, outputBias) = try telling {
            func has(_ name: String) -> Bool { checkpoint.shape(of: name) != nil }
            let name = has("output.weight") ? "output" : "token_embd"
            return (
                try checkpoint.vector("output_norm.weight", count: c.width),
                isCentered && has("output_norm.bias")
                    ? try checkpoint.vector("output_norm.bias", count: c.width) : nil,
                try checkpoint.matrix("\(name).weight", rows: c.vocabularySize, columns: c.width),
                has("\(name).bias") ? try checkpoint.vector("\(name).bias", count: c.vocabularySize) : nil
            )
        }
    }

    /// `[rows, V]` of `[rows, D]`.
    ///
    /// - Parameter normed: Buffer for `[rows, D]`.
    func logits(
        of residual: UnsafePointer<Float>, rows: Int, normed: UnsafeMutablePointer<Float>,
        into logits: UnsafeMutablePointer<Float>, pool: ThreadPool
    ) throws(InterpretabilityError) {
        gain.withUnsafeBufferPointer { gain in
            if isCentered {
                guard let bias else {
                    Rows.layerNorm(
                        residual, into: normed, gain: gain.baseAddress, epsilon: epsilon, rows: rows, columns: width,
                        pool: pool)
                    return
                }
                bias.withUnsafeBufferPointer { bias in
                    Rows.layerNorm(
                        residual, into: normed, gain: gain.baseAddress, bias: bias.baseAddress, epsilon: epsilon,
                        rows: rows, columns: width, pool: pool)
                }
            } else {
                Rows.rmsNorm(
                    residual, into: normed, gain: gain.baseAddress, epsilon: epsilon, rows: rows, columns: width,
                    pool: pool)
            }
        }
        try telling { try output.multiply(normed, m: rows, into: logits, pool: pool) }
        outputBias?.withUnsafeBufferPointer { bias in
            guard let bias = bias.baseAddress else { return }
            for row in 0..<rows { Elementwise.add(bias, to: logits + row * vocabularySize, count: vocabularySize) }
        }
        if let softcap { Elementwise.softcap(logits, at: softcap, count: rows * vocabularySize) }
    }

    /// The same as tensors: V · D numbers.
    func readout() throws(InterpretabilityError) -> Readout<Float> {
        try telling {
            let gain = try Tensor(gain)
            let unembedding = try Tensor<Float>(shape: [vocabularySize, width]) { numbers in
                if let base = numbers.baseAddress { output.decode(rows: 0..<vocabularySize, into: base) }
            }
            return Readout(
                norm: isCentered
                    ? .layer(gain: gain, bias: try bias.map { try Tensor($0) } ?? .zeros(width), epsilon: epsilon)
                    : .rms(gain: gain, epsilon: epsilon),
                unembedding: unembedding.transposed(), bias: try outputBias.map { try Tensor($0) }, softcap: softcap)
        }
    }
}
