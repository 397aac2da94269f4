public import Tensors

/// Convolution of images: [batch, channel, row, column]. Weights [outputs, inputs / groups, rows, columns], which begin
/// as torch's do.
public final class Conv2d<Scalar: FloatingAccumulator>: Layer {
    public let weight: Parameter<Scalar>
    public let bias: Parameter<Scalar>?
    public let window: Window
    public let groups: Int

    public init(
        _ name: String, inputs: Int, outputs: Int, size: (Int, Int), window: Window = Window(), groups: Int = 1,
        hasBias: Bool = true, initializer: Initializer = .layerDefault, random: inout RandomStreams
    ) throws(TensorError) {
        let each = try groupedInputs("Conv2d \(name)", inputs, outputs, groups)
        try requirePositive("Conv2d \(name)", ("rows", size.0), ("columns", size.1))
        let shape = [outputs, each, size.0, size.1]
        weight = Parameter("\(name).weight", try initializer.tensor(shape, random: &random))
        bias = hasBias ? Parameter("\(name).bias", try initializer.bias(of: shape, random: &random)) : nil
        self.window = window
        self.groups = groups
    }

    public var parameters: [Parameter<Scalar>] { [weight] + [bias].compactMap(\.self) }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try conv2d(x, weight.variable, bias: bias?.variable, window, groups: groups)
    }
}

/// Convolution of sequences: [batch, channel, place]. Weights [outputs, inputs / groups, taps], which begin as torch's
/// do.
public final class Conv1d<Scalar: FloatingAccumulator>: Layer {
    public let weight: Parameter<Scalar>
    public let bias: Parameter<Scalar>?
    public let window: Window
    public let groups: Int

    public init(
        _ name: String, inputs: Int, outputs: Int, size: Int, window: Window = Window(), groups: Int = 1,
        hasBias: Bool = true, initializer: Initializer = .layerDefault, random: inout RandomStreams
    ) throws(TensorError) {
        let each = try groupedInputs("Conv1d \(name)", inputs, outputs, groups)
        try requirePositive("Conv1d \(name)", ("taps", size))
        let shape = [outputs, each, size]
        weight = Parameter("\(name).weight", try initializer.tensor(shape, random: &random))
        bias = hasBias ? Parameter("\(name).bias", try initializer.bias(of: shape, random: &random)) : nil
        self.window = window
        self.groups = groups
    }

    public var parameters: [Parameter<Scalar>] { [weight] + [bias].compactMap(\.self) }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try conv1d(x, weight.variable, bias: bias?.variable, window, groups: groups)
    }
}

private func groupedInputs(
    _ layer: String, _ inputs: Int, _ outputs: Int, _ groups: Int
) throws(TensorError) -> Int {
    try requirePositive(layer, ("inputs", inputs), ("outputs", outputs), ("groups", groups))
    guard inputs % groups == 0, outputs % groups == 0 else {
        throw TensorError(
            layer, problem: "has \(inputs) inputs and \(outputs) outputs, which are not divisible by \(groups) groups")
    }
    return inputs / groups
}

/// The largest number of each window of an image.
public final class MaxPool<Scalar: FloatingAccumulator>: Layer {
    public let size: (Int, Int)
    public let window: Window?

    /// - Parameter window: windows lie side by side where it is not given.
    public init(_ size: (Int, Int), _ window: Window? = nil) {
        self.size = size
        self.window = window
    }

    public var parameters: [Parameter<Scalar>] { [] }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try maxPool2d(x, size, window)
    }
}
