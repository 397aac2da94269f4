public import Tensors

/// How a parameter's first numbers are drawn.
///
/// Weights are [outputs, inputs, ...]: fan-in is the product of all sizes but the first, fan-out that of all but the
/// second. Names and formulas are those of torch.nn.init.
public enum Initializer: Hashable, Sendable {
    case zeros
    case ones
    case constant(Double)
    case normal(mean: Double = 0, deviation: Double = 1)
    case uniform(Range<Double>)
    /// What falls outside the bounds, which are in deviations from the mean, is drawn again.
    case truncatedNormal(mean: Double = 0, deviation: Double = 1, within: ClosedRange<Double> = -2...2)
    /// Within ±gain √(6 / (fan-in + fan-out)) (Glorot & Bengio 2010).
    case xavierUniform(gain: Double = 1)
    /// With deviation gain √(2 / (fan-in + fan-out)) (Glorot & Bengio 2010).
    case xavierNormal(gain: Double = 1)
    /// Within ±gain √(3 / fan) (He et al. 2015).
    case kaimingUniform(_ mode: Fan = .fanIn, _ nonlinearity: Nonlinearity = .relu)
    /// With deviation gain / √fan (He et al. 2015).
    case kaimingNormal(_ mode: Fan = .fanIn, _ nonlinearity: Nonlinearity = .relu)
    /// Rows, or columns where there are fewer, at right angles and of length `gain` (Saxe et al. 2013).
    case orthogonal(gain: Double = 1)

    /// Whether the variance is kept on the way forward or on the way back.
    public enum Fan: Hashable, Sendable {
        case fanIn
        case fanOut
    }

    /// What torch gives linear and convolutional layers: within ±1 / √fan-in.
    public static let layerDefault = kaimingUniform(.fanIn, .leakyRelu(slope: 5.0.squareRoot()))

    /// New numbers for a parameter.
    ///
    /// - Throws: `TensorError` where the shape has no fans, or where memory runs out.
    public func tensor<Scalar: FloatingAccumulator>(
        _ shape: [Int], random: inout RandomStreams
    ) throws(TensorError) -> Tensor<Scalar> {
        switch self {
        case .zeros: return try Tensor(repeating: 0, shape: shape)
        case .ones: return try Tensor(repeating: 1, shape: shape)
        case .constant(let number): return try Tensor(repeating: Scalar(number), shape: shape)
        case .normal(let mean, let deviation):
            return try .normal(shape, mean: mean, deviation: deviation, seed: random.seed, stream: random.next())
        case .uniform(let range): return try .uniform(shape, in: range, seed: random.seed, stream: random.next())
        case .truncatedNormal(let mean, let deviation, let bounds):
            return try .truncatedNormal(
                shape, mean: mean, deviation: deviation, within: bounds, seed: random.seed, stream: random.next())
        case .xavierUniform(let gain):
            let fans = try Self.fans(shape)
            return try within(gain * (6 / (fans.input + fans.output)).squareRoot(), shape, &random)
        case .xavierNormal(let gain):
            let fans = try Self.fans(shape)
            return try around(gain * (2 / (fans.input + fans.output)).squareRoot(), shape, &random)
        case .kaimingUniform(let mode, let nonlinearity):
            return try within(nonlinearity.gain * (3 / Self.fan(mode, shape)).squareRoot(), shape, &random)
        case .kaimingNormal(let mode, let nonlinearity):
            return try around(nonlinearity.gain / Self.fan(mode, shape).squareRoot(), shape, &random)
        case .orthogonal(let gain): return try orthogonal(gain, shape, &random)
        }
    }

    /// How many numbers each output is made of, and how many each input has a part in.
    static func fans(_ shape: [Int]) throws(TensorError) -> (input: Double, output: Double) {
        guard shape.count >= 2, shape.allSatisfy({ $0 > 0 }) else {
            throw TensorError(
                "initializer", shape,
                problem: "has no fan-in or fan-out: a weight must have shape [outputs, inputs, ...]")
        }
        let taps = shape.dropFirst(2).reduce(1.0) { $0 * Double($1) }
        let fans = (input: Double(shape[1]) * taps, output: Double(shape[0]) * taps)
        guard fans.input * Double(shape[0]) < 0x1p46 else {
            throw TensorError("initializer", shape, problem: "has too many elements for memory")
        }
        return fans
    }

    private static func fan(_ mode: Fan, _ shape: [Int]) throws(TensorError) -> Double {
        let fans = try fans(shape)
        return mode == .fanIn ? fans.input : fans.output
    }

    private func within<Scalar: FloatingAccumulator>(
        _ bound: Double, _ shape: [Int], _ random: inout RandomStreams
    ) throws(TensorError) -> Tensor<Scalar> {
        try .uniform(shape, in: -bound..<bound, seed: random.seed, stream: random.next())
    }

    private func around<Scalar: FloatingAccumulator>(
        _ deviation: Double, _ shape: [Int], _ random: inout RandomStreams
    ) throws(TensorError) -> Tensor<Scalar> {
        try .normal(shape, deviation: deviation, seed: random.seed, stream: random.next())
    }

    /// Q of a random matrix A = QR, its columns' signs changed so that R has a positive diagonal: each such matrix is
    /// equally likely (Mezzadri 2007).
    private func orthogonal<Scalar: FloatingAccumulator>(
        _ gain: Double, _ shape: [Int], _ random: inout RandomStreams
    ) throws(TensorError) -> Tensor<Scalar> {
        _ = try Self.fans(shape)
        let (rows, columns) = (shape[0], shape.dropFirst().reduce(1, *))
        let (long, short) = (max(rows, columns), min(rows, columns))
        let noise = try Tensor<Double>.normal([long, short], seed: random.seed, stream: random.next())
        let decomposition = try QRDecomposition(noise)
        let signs = try sign(decomposition.upper().diagonal())
        let square = try decomposition.orthogonal() * signs * gain
        return try (rows < columns ? square.transposed() : square).contiguous().reshaped(shape).converted()
    }
}
