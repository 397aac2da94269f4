public import Tensors
internal import Training

/// Trains a tuned lens: at each step it sees rows of the residual stream at every point and at the end, and makes
/// KL(p_final ‖ p_point) smaller.
///
/// ```swift
/// let training = try TunedLensTraining(TunedLens(points: points, width: 192), readout, steps: 250)
/// for batch in batches { try training.step(batch.residuals, final: batch.final) }
/// let lens = try training.lens()
/// ```
///
/// Rates fall linearly to 0 over the steps, and gradients of all points together are clipped to norm 1. A step costs
/// 3 products of N · D · V for each point, and memory for 3 · N · V numbers.
public final class TunedLensTraining<Scalar: FloatingAccumulator> {
    /// The rule of the steps.
    public enum Rule: Hashable, Sendable {
        /// Stochastic descent with momentum 0.9 in Nesterov's form: with rate 1, the published recipe for batches of
        /// 2^18 tokens.
        case nesterov(rate: Double = 1)
        /// For small batches.
        case adam(rate: Double = 1e-3)
    }

    public let steps: Int
    public private(set) var step = 0
    private let points: [ResidualPart]
    private let readout: Readout<Scalar>
    private let rate: Double
    private let parameters: [Parameter<Scalar>]
    private var optimizer: Optimizer<Scalar>

    public init(
        _ lens: TunedLens<Scalar>, _ readout: Readout<Scalar>, steps: Int, rule: Rule = .adam()
    ) throws(InterpretabilityError) {
        guard lens.width == readout.unembedding.shape[0] else {
            throw InterpretabilityError(
                "tuned lens", problem: "width \(lens.width) does not match the model's \(readout.unembedding.shape[0])")
        }
        self.steps = max(1, steps)
        self.readout = readout
        points = lens.points
        parameters = lens.points.indices.flatMap { place in
            [
                Parameter("\(place).weight", lens.matrices[place]), Parameter("\(place).bias", lens.biases[place]),
            ]
        }
        switch rule {
        case .nesterov(let rate):
            self.rate = rate
            optimizer = try telling { try Optimizer(.sgd, ["momentum": 0.9, "nesterov": 1]) }
        case .adam(let rate):
            self.rate = rate
            optimizer = try telling { try Optimizer(.adam) }
        }
    }

    /// One step.
    ///
    /// - Parameters:
    ///   - residuals: `[N, D]` of each point.
    ///   - final: The final stream of the same tokens, `[N, D]`.
    /// - Returns: The mean KL(p_final ‖ p_point) of each point before the step, nats.
    @discardableResult
    public func step(_ residuals: [Tensor<Scalar>], final: Tensor<Scalar>) throws(InterpretabilityError) -> [Double] {
        guard residuals.count == points.count, residuals.allSatisfy({ $0.shape == final.shape }) else {
            throw InterpretabilityError(
                "tuned lens step",
                problem: "\(residuals.count) sets of residuals do not match \(points.count) points, or differ in "
                    + "shape from \(final.shape)")
        }
        return try telling {
            let target = try logSoftmax(try logits(try readout.normed(final)))
            let shares = try exp(target)
            let divergences = try residuals.enumerated().map { place, rows in
                try descend(place, rows, target, shares)
            }
            try clipGradients(of: parameters, toNorm: 1)
            try optimizer.step(parameters, rate: rate * (1 - Double(step) / Double(steps)))
            for parameter in parameters { parameter.gradient = nil }
            step += 1
            return divergences
        }
    }

    /// The lens as it stands.
    public func lens() -> TunedLens<Scalar> {
        TunedLens(
            points: points, matrices: points.indices.map { parameters[2 * $0].value },
            biases: points.indices.map { parameters[2 * $0 + 1].value })
    }

    /// Gradients of one point's A and b; the mean divergence.
    private func descend(
        _ place: Int, _ rows: Tensor<Scalar>, _ target: Tensor<Scalar>, _ shares: Tensor<Scalar>
    ) throws -> Double {
        let (matrix, bias) = (parameters[2 * place], parameters[2 * place + 1])
        let corrected = try rows + matmul(rows, matrix.value) + bias.value
        let said = try logits(try readout.normed(corrected))
        let logShares = try logSoftmax(said)
        let count = Scalar(rows.shape[0])
        // d KL / d z = p − p_final, through the cap: 1 − (z / c)².
        var gradient = try (exp(logShares) - shares) / count
        if let cap = readout.softcap {
            let bent = try said / cap
            gradient = try gradient * (1 - bent * bent)
        }
        let inner = try readout.normGradient(corrected, matmul(gradient, readout.unembedding.transposed()))
        matrix.gradient = try matmul(rows.transposed(), inner)
        bias.gradient = try inner.sum(0)
        return try (shares * (target - logShares)).sum().elements[0].float64 / Double(rows.shape[0])
    }

    private func logits(_ rows: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        var logits = try matmul(rows, readout.unembedding)
        if let bias = readout.bias { try logits += bias }
        if let cap = readout.softcap { logits = try tanh(try logits / cap) * cap }
        return logits
    }
}
