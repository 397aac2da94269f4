public import Tensors

/// Linear layers with an activation between each two: what stands between the attentions of a transformer, or a whole
/// classifier.
public final class MLP<Scalar: FloatingAccumulator>: Layer {
    public let layers: [Linear<Scalar>]
    public let activation: Activation

    /// - Parameter widths: of the inputs, of every hidden layer, of the outputs: [784, 256, 10].
    public init(
        _ name: String, widths: [Int], activation: Activation = .relu, hasBias: Bool = true,
        initializer: Initializer = .layerDefault, random: inout RandomStreams
    ) throws(TensorError) {
        guard widths.count >= 2 else {
            throw TensorError(
                "MLP \(name)", problem: "needs at least two widths, including inputs and outputs")
        }
        var layers: [Linear<Scalar>] = []
        for (place, (inputs, outputs)) in zip(widths, widths.dropFirst()).enumerated() {
            try layers.append(
                Linear(
                    "\(name).\(place)", inputs: inputs, outputs: outputs, hasBias: hasBias, initializer: initializer,
                    random: &random))
        }
        self.layers = layers
        self.activation = activation
    }

    public var parameters: [Parameter<Scalar>] { layers.flatMap { $0.parameters } }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        var x = x
        for (place, layer) in layers.enumerated() {
            x = try layer(place == 0 ? x : activated(x, activation), pass)
        }
        return x
    }
}

/// W₂ (f(W₁ x) ⊙ W₃ x) with f = silu (Shazeer 2020).
public final class SwiGLU<Scalar: FloatingAccumulator>: Layer {
    public let gate: Linear<Scalar>
    public let up: Linear<Scalar>
    public let down: Linear<Scalar>
    public let activation: Activation

    public init(
        _ name: String, width: Int, hidden: Int, activation: Activation = .silu, hasBias: Bool = false,
        initializer: Initializer = .layerDefault, random: inout RandomStreams
    ) throws(TensorError) {
        func make(
            _ part: String, _ inputs: Int, _ outputs: Int, _ random: inout RandomStreams
        ) throws(TensorError) -> Linear<Scalar> {
            try Linear(
                "\(name).\(part)", inputs: inputs, outputs: outputs, hasBias: hasBias, initializer: initializer,
                random: &random)
        }
        gate = try make("gate", width, hidden, &random)
        up = try make("up", width, hidden, &random)
        down = try make("down", hidden, width, &random)
        self.activation = activation
    }

    public var parameters: [Parameter<Scalar>] { gate.parameters + up.parameters + down.parameters }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try down(gated(gate(x, pass), up(x, pass), activation), pass)
    }
}
