public import Tensors

/// (x - mean) / √(variance + ε) · gain + bias for each channel, which is axis 1 (Ioffe & Szegedy 2015).
///
/// In training mean and variance are those of the batch, over all other axes, and running ones are gathered:
/// running ← (1 - momentum) running + momentum batch, the variance divided by n - 1 as in torch. Otherwise the running
/// ones are taken. They are parameters that are not trained, so that checkpoints have them.
public final class BatchNorm<Scalar: FloatingAccumulator>: Layer {
    public let gain: Parameter<Scalar>
    public let bias: Parameter<Scalar>
    public let runningMean: Parameter<Scalar>
    public let runningVariance: Parameter<Scalar>
    public let epsilon: Double
    public let momentum: Double

    public init(_ name: String, channels: Int, epsilon: Double = 1e-5, momentum: Double = 0.1) throws(TensorError) {
        try requirePositive("BatchNorm \(name)", ("channels", channels))
        gain = Parameter("\(name).weight", try Tensor(repeating: 1, shape: [channels]))
        bias = Parameter("\(name).bias", try Tensor(repeating: 0, shape: [channels]))
        runningMean = Parameter(
            "\(name).running_mean", try Tensor(repeating: 0, shape: [channels]), isTrainable: false)
        runningVariance = Parameter(
            "\(name).running_var", try Tensor(repeating: 1, shape: [channels]), isTrainable: false)
        self.epsilon = epsilon
        self.momentum = momentum
    }

    public var parameters: [Parameter<Scalar>] { [gain, bias, runningMean, runningVariance] }

    /// - Parameter x: [batch, channel, ...].
    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        guard x.rank >= 2, x.shape[1] == gain.count else {
            throw TensorError("BatchNorm", x.shape, problem: "is not [batch, \(gain.count) channels, ...]")
        }
        let channels = x.shape.indices.map { $0 == 1 ? gain.count : 1 }
        let (mean, variance) = try statistics(x, channels, pass)
        let scale = try reciprocalSqrt(variance + Scalar(epsilon)) * gain.variable.reshaped(channels)
        return try (x - mean) * scale + bias.variable.reshaped(channels)
    }

    private func statistics(
        _ x: Variable<Scalar>, _ channels: [Int], _ pass: Pass
    ) throws(TensorError) -> (Variable<Scalar>, Variable<Scalar>) {
        guard pass.isTraining else {
            return (
                Variable(try runningMean.value.reshaped(channels)),
                Variable(try runningVariance.value.reshaped(channels))
            )
        }
        let each = x.count / gain.count
        guard each > 1 else {
            throw TensorError("BatchNorm", x.shape, problem: "has one value per channel, so the variance is undefined")
        }
        let axes = x.shape.indices.filter { $0 != 1 }
        let mean = try x.mean(axes: axes, keepingAxes: true)
        let variance = try x.variance(axes: axes, keepingAxes: true)
        if !pass.isRepeating {
            try gather(mean, into: runningMean, 1)
            try gather(variance, into: runningVariance, Double(each) / Double(each - 1))
        }
        return (mean, variance)
    }

    private func gather(
        _ batch: Variable<Scalar>, into running: Parameter<Scalar>, _ correction: Double
    ) throws(TensorError) {
        running.value =
            try running.value * Scalar(1 - momentum)
            + batch.value.reshaped(running.shape) * Scalar(momentum * correction)
    }
}
