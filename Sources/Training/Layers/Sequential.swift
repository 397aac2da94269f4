public import Tensors

/// Layers one after the other.
///
/// ```swift
/// let model = Sequential<Float>([
///     try Conv2d("conv", inputs: 1, outputs: 16, size: (3, 3), random: &random), Activated(.relu),
///     MaxPool((2, 2)), Flatten(), try Linear("head", inputs: 144, outputs: 10, random: &random),
/// ])
/// ```
public final class Sequential<Scalar: FloatingAccumulator>: Layer {
    public let layers: [any Layer<Scalar>]

    public init(_ layers: [any Layer<Scalar>]) { self.layers = layers }

    public var parameters: [Parameter<Scalar>] { layers.flatMap { $0.parameters } }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        var x = x
        for layer in layers { x = try layer(x, pass) }
        return x
    }
}

/// x + layer(x): the gradient has a way around (He et al. 2015).
public final class Residual<Scalar: FloatingAccumulator>: Layer {
    public let layer: any Layer<Scalar>

    public init(_ layer: any Layer<Scalar>) { self.layer = layer }

    /// With the layers one after the other within: a norm and what follows it.
    public convenience init(_ layers: [any Layer<Scalar>]) { self.init(Sequential(layers)) }

    public var parameters: [Parameter<Scalar>] { layer.parameters }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        let change = try layer(x, pass)
        guard change.shape == x.shape else {
            throw TensorError(
                "Residual", x.shape, change.shape,
                problem: "are incompatible: a residual layer must keep the shape of its input")
        }
        return try x + change
    }
}

/// A layer whose inside is computed again on the way back instead of being kept: see `checkpointed`.
public final class Checkpointed<Scalar: FloatingAccumulator>: Layer {
    public let layer: any Layer<Scalar>

    public init(_ layer: any Layer<Scalar>) { self.layer = layer }

    public var parameters: [Parameter<Scalar>] { layer.parameters }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try checkpointed([x], parameters: parameters, pass) { [layer] inputs throws(TensorError) in
            try layer(inputs[0], pass)
        }
    }
}

/// An activation as a layer.
public final class Activated<Scalar: FloatingAccumulator>: Layer {
    public let activation: Activation

    public init(_ activation: Activation) { self.activation = activation }

    public var parameters: [Parameter<Scalar>] { [] }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try activated(x, activation)
    }
}

/// The axes from `first` to the last as one: images as vectors.
public final class Flatten<Scalar: FloatingAccumulator>: Layer {
    public let first: Int

    public init(from first: Int = 1) { self.first = first }

    public var parameters: [Parameter<Scalar>] { [] }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try x.flattened(from: first)
    }
}
