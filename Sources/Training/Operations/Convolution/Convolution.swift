internal import Kernels
public import Tensors

/// Two-dimensional convolution (as in deep learning: without a reversal of the kernel).
///
/// ```swift
/// let y = try conv2d(x, w.variable, bias: b.variable, Window(padding: 1))     // 3 x 3 kernels: y has x's size
/// ```
/// The gradient of x is a convolution with the reversed kernel, that of the weights one of x with dy; each is computed
/// only where it is asked for.
///
/// - Parameters:
///   - x: [batch, channel, row, column].
///   - weight: [output, channel / groups, row, column].
///   - bias: [output].
///   - groups: channels and outputs are cut into as many groups; one does not see the other's.
/// - Returns: [batch, output, row, column].
public func conv2d<S>(
    _ x: Variable<S>, _ weight: Variable<S>, bias: Variable<S>? = nil, _ window: Window = Window(), groups: Int = 1
) throws(TensorError) -> Variable<S> {
    let name = "conv2d"
    guard x.rank == 4, weight.rank == 4 else {
        throw TensorError(
            name, x.shape, weight.shape,
            problem: "are incompatible: expected [batch, channel, row, column] and [output, channel, row, column]")
    }
    let (channels, outputs) = (x.shape[1], weight.shape[0])
    guard groups > 0, channels % groups == 0, outputs % groups == 0, weight.shape[1] == channels / groups else {
        throw TensorError(
            name, x.shape, weight.shape,
            problem: "are incompatible: \(channels) channels in \(groups) groups need kernels of "
                + "\(groups > 0 ? channels / groups : 0), and outputs divisible by the groups")
    }
    if let bias, bias.shape != [outputs] {
        throw TensorError(
            name, weight.shape, bias.shape,
            problem: "are incompatible: the bias must have the shape [\(outputs)]")
    }
    let axes = try WindowAxes(window, x.shape, name)
    let shape = try WindowAxes.sized(name, x.shape) { () throws(KernelError) in
        try ConvolutionShape(
            batch: x.shape[0], groups: groups, channels: channels / groups, outputs: outputs / groups,
            image: [x.shape[2], x.shape[3]], kernel: [weight.shape[2], weight.shape[3]], stride: axes.stride,
            padding: axes.padding, dilation: axes.dilation)
    }
    let call = try ConvolutionCall(
        name: name, shape: shape, x: x.value.contiguous(), weight: weight.value.contiguous(),
        hasBias: bias != nil)
    let y = try call.forward(bias: bias?.value.contiguous())
    let parents = [x, weight] + (bias.map { [$0] } ?? [])
    let basics = { () throws(TensorError) in
        let y = try summedTaps(x, weight, axes, groups: groups, result: shape.result)
        return if let bias { try y + bias.reshaped([outputs, 1, 1]) } else { y }
    }
    return .made(by: name, y, from: parents, basics: basics) { back throws(TensorError) in
        let gradient = try back.gradient.value.contiguous()
        let dx = back.needs(0) ? Variable(try call.inputGradient(gradient)) : nil
        guard back.needs(1) || (call.hasBias && back.needs(2)) else { return [dx, nil, nil] }
        let (dWeight, dBias) = try call.weightGradient(gradient)
        return [dx, Variable(dWeight)] + (call.hasBias ? [Variable(dBias)] : [])
    }
}

/// One-dimensional convolution (as in deep learning: without a reversal of the kernel).
///
/// - Parameters:
///   - x: [batch, channel, place].
///   - weight: [output, channel / groups, tap].
///   - bias: [output].
///   - groups: channels and outputs are cut into as many groups; one does not see the other's.
/// - Returns: [batch, output, place].
public func conv1d<S>(
    _ x: Variable<S>, _ weight: Variable<S>, bias: Variable<S>? = nil, _ window: Window = Window(), groups: Int = 1
) throws(TensorError) -> Variable<S> {
    guard x.rank == 3, weight.rank == 3 else {
        throw TensorError(
            "conv1d", x.shape, weight.shape,
            problem: "are incompatible: expected [batch, channel, position] and [output, channel, tap]")
    }
    let y = try conv2d(
        x.reshaped([x.shape[0], x.shape[1], 1, x.shape[2]]),
        weight.reshaped([weight.shape[0], weight.shape[1], 1, weight.shape[2]]), bias: bias,
        WindowAxes.alongRow(window), groups: groups)
    return try y.reshaped([y.shape[0], y.shape[1], y.shape[3]])
}

/// The same convolution as one product a tap, of its weights with the pixels that it meets.
private func summedTaps<S>(
    _ x: Variable<S>, _ weight: Variable<S>, _ axes: WindowAxes, groups: Int, result: [Int]
) throws(TensorError) -> Variable<S> {
    let (batch, channels, outputs) = (x.shape[0], weight.shape[1], weight.shape[0] / groups)
    let size = [weight.shape[2], weight.shape[3]]
    var sum: Variable<S>?
    for (place, tap) in try axes.taps(of: x, paddedWith: 0, size: size, result: result).enumerated() {
        let pixels = try tap.reshaped([batch, groups, channels, result[0] * result[1]])
        let weights = try weight.reshaped([groups, outputs, channels, size[0] * size[1]])[.all, .all, .all, place]
        let product = try matmul(weights, pixels)
        sum = if let before = sum { try before + product } else { product }
    }
    let shape = [batch, groups * outputs] + result
    guard let sum else { return Variable(try Tensor(repeating: 0, shape: shape)) }
    return try sum.reshaped(shape)
}

/// The arrays of one convolution: float32 goes to the kernels, float64 to the textbook's loops.
private struct ConvolutionCall<S: FloatingAccumulator> {
    let name: String
    let shape: ConvolutionShape
    /// Contiguous, and so is the weight.
    let x: Tensor<S>
    let weight: Tensor<S>
    let hasBias: Bool

    private var outputs: Int { shape.groups * shape.outputs }

    func forward(bias: Tensor<S>?) throws(TensorError) -> Tensor<S> {
        let y = try Tensor<S>.unfilled([shape.batch, outputs, shape.result[0], shape.result[1]])
        defer { withExtendedLifetime((x, weight, bias, y)) {} }
        if S.self == Float.self {
            try run { () throws(KernelError) in
                try Convolution.forward(
                    shape, x.of(Float.self), weights: weight.of(Float.self), bias: bias?.of(Float.self),
                    into: y.of(Float.self))
            }
        } else {
            ConvolutionTwin.forward(
                shape, x.of(Double.self), weights: weight.of(Double.self), bias: bias?.of(Double.self),
                into: y.of(Double.self))
        }
        return y
    }

    func inputGradient(_ gradient: Tensor<S>) throws(TensorError) -> Tensor<S> {
        let dx = try Tensor<S>.unfilled(x.shape)
        defer { withExtendedLifetime((weight, gradient, dx)) {} }
        if S.self == Float.self {
            try run { () throws(KernelError) in
                try Convolution.inputGradient(
                    shape, weights: weight.of(Float.self), yGradient: gradient.of(Float.self), into: dx.of(Float.self))
            }
        } else {
            ConvolutionTwin.inputGradient(
                shape, weights: weight.of(Double.self), yGradient: gradient.of(Double.self), into: dx.of(Double.self))
        }
        return dx
    }

    func weightGradient(_ gradient: Tensor<S>) throws(TensorError) -> (Tensor<S>, Tensor<S>) {
        let (dWeight, dBias) = (try Tensor<S>.unfilled(weight.shape), try Tensor<S>.unfilled([outputs]))
        defer { withExtendedLifetime((x, gradient, dWeight, dBias)) {} }
        if S.self == Float.self {
            try run { () throws(KernelError) in
                try Convolution.weightGradient(
                    shape, x.of(Float.self), yGradient: gradient.of(Float.self), into: dWeight.of(Float.self),
                    bias: dBias.of(Float.self))
            }
        } else {
            ConvolutionTwin.weightGradient(
                shape, x.of(Double.self), yGradient: gradient.of(Double.self), into: dWeight.of(Double.self),
                bias: dBias.of(Double.self))
        }
        return (dWeight, dBias)
    }

    private func run(_ body: () throws(KernelError) -> Void) throws(TensorError) {
        do throws(KernelError) { try body() } catch { throw TensorError(name, error) }
    }
}
