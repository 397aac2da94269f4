public import Tensors

/// (x - mean) / √(variance + ε) · gain + bias over the last axis (Ba, Kiros, Hinton 2016).
public final class LayerNorm<Scalar: FloatingAccumulator>: Layer {
    public let gain: Parameter<Scalar>
    public let bias: Parameter<Scalar>?
    public let epsilon: Double

    public init(_ name: String, width: Int, epsilon: Double = 1e-5, hasBias: Bool = true) throws(TensorError) {
        try requirePositive("LayerNorm \(name)", ("width", width))
        gain = Parameter("\(name).weight", try Tensor(repeating: 1, shape: [width]))
        bias = hasBias ? Parameter("\(name).bias", try Tensor(repeating: 0, shape: [width])) : nil
        self.epsilon = epsilon
    }

    public var parameters: [Parameter<Scalar>] { [gain] + [bias].compactMap { $0 } }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try layerNorm(x, gain: gain.variable, bias: bias?.variable, epsilon: epsilon)
    }
}

/// x / √(mean of squares + ε) · gain over the last axis (Zhang & Sennrich 2019).
public final class RMSNorm<Scalar: FloatingAccumulator>: Layer {
    public let gain: Parameter<Scalar>
    public let epsilon: Double

    public init(_ name: String, width: Int, epsilon: Double = 1e-6) throws(TensorError) {
        try requirePositive("RMSNorm \(name)", ("width", width))
        gain = Parameter("\(name).weight", try Tensor(repeating: 1, shape: [width]))
        self.epsilon = epsilon
    }

    public var parameters: [Parameter<Scalar>] { [gain] }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try rmsNorm(x, gain: gain.variable, epsilon: epsilon)
    }
}
