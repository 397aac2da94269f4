/// How a window moves over its input along each axis of places.
public struct Window: Equatable, Sendable {
    /// Distance between neighboring windows.
    public var stride: [Int]
    /// Zeros that are thought around the input, as many before as after.
    public var padding: [Int]
    /// Distance between neighboring elements of a window.
    public var dilation: [Int]

    /// The same for every axis.
    public init(stride: Int = 1, padding: Int = 0, dilation: Int = 1) {
        self.init(stride: [stride], padding: [padding], dilation: [dilation])
    }

    /// One number an axis, or one for all.
    public init(stride: [Int], padding: [Int] = [0], dilation: [Int] = [1]) {
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
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
public func conv1d<S: FloatingScalar>(
    _ x: Tensor<S>, _ weight: Tensor<S>, bias: Tensor<S>? = nil, _ window: Window = Window(), groups: Int = 1
) throws(TensorError) -> Tensor<S> {
    guard x.rank == 3, weight.rank == 3 else {
        throw TensorError(
            "conv1d", x.shape, weight.shape,
            problem: "are incompatible: expected [batch, channel, position] and [output, channel, tap]")
    }
    func first(_ values: [Int]) -> Int { values.first ?? 1 }
    let flat = Window(
        stride: [1, first(window.stride)], padding: [0, window.padding.first ?? 0],
        dilation: [1, first(window.dilation)])
    return try convolve(
        x.expanded(at: 2), weight.expanded(at: 2), bias, flat, groups, "conv1d"
    ).squeezed(2)
}

/// Two-dimensional convolution (as in deep learning: without a reversal of the kernel).
///
/// Every window becomes a column of a matrix, which the kernel's matrix multiplies: the products of all windows are one
/// matrix product (Chellapilla et al. 2006).
///
/// - Parameters:
///   - x: [batch, channel, row, column].
///   - weight: [output, channel / groups, row, column].
///   - bias: [output].
///   - groups: channels and outputs are cut into as many groups; one does not see the other's.
/// - Returns: [batch, output, row, column].
public func conv2d<S: FloatingScalar>(
    _ x: Tensor<S>, _ weight: Tensor<S>, bias: Tensor<S>? = nil, _ window: Window = Window(), groups: Int = 1
) throws(TensorError) -> Tensor<S> {
    guard x.rank == 4, weight.rank == 4 else {
        throw TensorError(
            "conv2d", x.shape, weight.shape,
            problem: "are incompatible: expected [batch, channel, row, column] and [output, channel, row, column]")
    }
    return try convolve(x, weight, bias, window, groups, "conv2d")
}

private func convolve<S: FloatingScalar>(
    _ x: Tensor<S>, _ weight: Tensor<S>, _ bias: Tensor<S>?, _ window: Window, _ groups: Int, _ name: String
) throws(TensorError) -> Tensor<S> {
    let (channels, outputs) = (x.shape[1], weight.shape[0])
    guard groups > 0, channels % groups == 0, outputs % groups == 0, weight.shape[1] == channels / groups else {
        throw TensorError(
            name, x.shape, weight.shape,
            problem: "are incompatible: \(channels) channels in \(groups) groups need kernels of "
                + "\(groups > 0 ? channels / groups : 0), and outputs divisible by the groups")
    }
    let places = try Windows(x.shape, Array(weight.shape[2...]), window, name)
    let (rows, columns) = (places.outputs[0], places.outputs[1])
    let taps = weight.shape[1] * weight.shape[2] * weight.shape[3]
    let kernels = try weight.reshaped([groups, outputs / groups, taps])
    let padded = try places.padded(x, with: S(rounding: Double.zero))
    // [batch, group, channel, tap row, tap column, row, column]: every window as a view, then as columns.
    let windows = try places.view(padded, splitting: groups)
    let matrices = try windows.reshaped([x.shape[0], groups, taps, rows * columns])
    let result = try matmul(kernels, matrices).reshaped([x.shape[0], outputs, rows, columns])
    guard let bias else { return result }
    guard bias.shape == [outputs] else {
        throw TensorError(
            name, weight.shape, bias.shape,
            problem: "are incompatible: the bias must have the shape [\(outputs)]")
    }
    return try result + bias.reshaped([outputs, 1, 1])
}
