public import Tensors

/// y = x Wᵀ + b over the last axis.
///
/// Weights [outputs, inputs], as torch lays them out; they begin as torch's do: weights and biases evenly within
/// ±1/√inputs.
public final class Linear<Scalar: FloatingAccumulator>: Layer {
    public let weight: Parameter<Scalar>
    public let bias: Parameter<Scalar>?

    /// - Parameter initializer: of the weight; biases begin as torch's where it is the default one, else at zero.
    public init(
        _ name: String, inputs: Int, outputs: Int, hasBias: Bool = true,
        initializer: Initializer = .layerDefault, random: inout RandomStreams
    ) throws(TensorError) {
        try requirePositive("Linear \(name)", ("inputs", inputs), ("outputs", outputs))
        weight = Parameter("\(name).weight", try initializer.tensor([outputs, inputs], random: &random))
        bias =
            hasBias
            ? Parameter("\(name).bias", try initializer.bias(of: weight.shape, random: &random)) : nil
    }

    public var parameters: [Parameter<Scalar>] { [weight] + [bias].compactMap { $0 } }

    /// - Parameter x: [..., inputs].
    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try linear(x, weight: weight.variable, bias: bias?.variable)
    }
}

extension Initializer {
    /// The bias that goes with a weight of this shape.
    func bias<Scalar: FloatingAccumulator>(
        of weight: [Int], random: inout RandomStreams
    ) throws(TensorError) -> Tensor<Scalar> {
        guard self == .layerDefault else { return try Tensor(repeating: 0, shape: [weight[0]]) }
        let bound = 1 / (try Self.fans(weight).input).squareRoot()
        return try Initializer.uniform(-bound..<bound).tensor([weight[0]], random: &random)
    }
}

/// Refuses sizes below 1, which no layer can have.
func requirePositive(_ layer: String, _ sizes: (String, Int)...) throws(TensorError) {
    for (name, size) in sizes where size < 1 {
        throw TensorError(layer, problem: "\(name) must be at least 1, not \(size)")
    }
}
