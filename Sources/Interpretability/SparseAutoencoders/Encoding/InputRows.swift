internal import Glibc
internal import Kernels
internal import System
internal import Tensors

/// Inputs of a dictionary as rows: normalized as it wants them, and what undoes that on its outputs.
struct InputRows {
    /// `[n, d]`: contiguous, normalized, and without the decoder's bias if the dictionary subtracts it.
    let rows: Tensor<Float>
    let restoring: RowRestoring

    var count: Int { rows.shape[0] }

    init(_ inputs: Tensor<Float>, for dictionary: SparseAutoencoder) throws(Problem) {
        let flat = try Self.flattened(inputs, width: dictionary.inputWidth)
        let restoring = try RowRestoring(flat, dictionary.normalization)
        guard dictionary.normalization != .none || dictionary.subtractsDecoderBias else {
            (rows, self.restoring) = (flat, restoring)
            return
        }
        let (width, count) = (dictionary.inputWidth, flat.shape[0])
        let bias = dictionary.subtractsDecoderBias ? dictionary.decoderBias.elements : nil
        rows = try telling {
            try Tensor(shape: [count, width]) { target throws(TensorError) in
                try flat.withElements { source in
                    for row in 0..<count {
                        let (factor, mean) = restoring.inward(row)
                        for column in row * width..<(row + 1) * width {
                            target[column] = (source[column] - mean) * factor
                        }
                        guard let bias else { continue }
                        for column in 0..<width { target[row * width + column] -= bias[column] }
                    }
                }
            }
        }
        self.restoring = restoring
    }

    /// `[n, d]` of `[..., d]`, or of `[..., H, W]` with H·W = d.
    static func flattened(_ inputs: Tensor<Float>, width: Int) throws(Problem) -> Tensor<Float> {
        var last = inputs.shape.last ?? 0
        if last != width, inputs.rank >= 2 { last *= inputs.shape[inputs.rank - 2] }
        guard last == width else {
            throw Problem(
                .invalid, "dictionary", "expected rows of width \(width), found \(inputs.shape)",
                remedy: "Use the hook the dictionary was trained on.")
        }
        return try telling { try inputs.contiguous().reshaped([inputs.count / width, width]) }
    }
}

/// What was taken from each row by a normalization: x = y · scale + offset.
struct RowRestoring {
    private let normalization: SparseAutoencoder.Normalization
    /// By row: what rows are divided by, what outputs are multiplied by, and the mean.
    private var divisors: [Float] = []
    private var scales: [Float] = []
    private var means: [Float] = []

    /// - Parameter rows: `[n, d]`.
    init(
        _ rows: Tensor<Float>, _ normalization: SparseAutoencoder.Normalization
    ) throws(Problem) {
        self.normalization = normalization
        let width = rows.shape[1]
        switch normalization {
        case .none, .scale: return
        case .rowNorm:
            try telling {
                try rows.withElements { x in
                    for row in 0..<rows.shape[0] {
                        var squares = 0.0
                        for i in row * width..<(row + 1) * width { squares += Double(x[i]) * Double(x[i]) }
                        // A row of zeros stays one: the published formula divides by zero there.
                        let norm = squares > 0 ? Float(squares.squareRoot()) : 1
                        divisors.append(norm / Float(width).squareRoot())
                    }
                }
            }
            scales = divisors
        case .layerNorm:
            try telling {
                try rows.withElements { x in
                    for row in 0..<rows.shape[0] {
                        var sum = 0.0
                        for i in row * width..<(row + 1) * width { sum += Double(x[i]) }
                        let mean = sum / Double(width)
                        var squares = 0.0
                        for i in row * width..<(row + 1) * width {
                            squares += (Double(x[i]) - mean) * (Double(x[i]) - mean)
                        }
                        let deviation = Float((squares / Double(max(1, width - 1))).squareRoot())
                        means.append(Float(mean))
                        scales.append(deviation)
                        divisors.append(deviation + 1e-5)
                    }
                }
            }
        }
    }

    /// The factor and the mean with which a row is normalized: (x − mean) · factor.
    func inward(_ row: Int) -> (factor: Float, mean: Float) {
        switch normalization {
        case .none: (1, 0)
        case .scale(let factor): (factor, 0)
        case .rowNorm: (1 / divisors[row], 0)
        case .layerNorm: (1 / divisors[row], means[row])
        }
    }

    /// The factor and the mean with which an output becomes one of the inputs' kind: y · factor + mean.
    func outward(_ row: Int) -> (factor: Float, mean: Float) {
        switch normalization {
        case .none: (1, 0)
        case .scale(let factor): (1 / factor, 0)
        case .rowNorm: (scales[row], 0)
        case .layerNorm: (scales[row], means[row])
        }
    }
}
