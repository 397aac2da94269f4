internal import Kernels
public import Tensors

/// The largest element of each window of [batch, channel, row, column]; the padding counts as minus infinity.
///
/// The gradient goes to the first of equals, as in torch.
///
/// - Parameter size: rows and columns of a window, fewer than 65,535 places; windows stand side by side where no stride
///   is given.
public func maxPool2d<S>(
    _ x: Variable<S>, _ size: (Int, Int), _ window: Window? = nil
) throws(TensorError) -> Variable<S> {
    try maximumPooled(x, size, window, rectifies: false, "maxPool2d")
}

/// max(x, 0) of the largest element of each window: relu and `maxPool2d` in one pass, in either order.
public func reluMaxPool2d<S>(
    _ x: Variable<S>, _ size: (Int, Int), _ window: Window? = nil
) throws(TensorError) -> Variable<S> {
    try maximumPooled(x, size, window, rectifies: true, "reluMaxPool2d")
}

/// The mean of each window of [batch, channel, row, column]; the padding counts as zeros.
///
/// - Parameter size: rows and columns of a window; windows stand side by side where no stride is given.
public func averagePool2d<S>(
    _ x: Variable<S>, _ size: (Int, Int), _ window: Window? = nil
) throws(TensorError) -> Variable<S> {
    let name = "averagePool2d"
    let (axes, shape) = try poolingShape(x, size, window, name)
    let input = try x.value.contiguous()
    let y = try Tensor<S>.unfilled([x.shape[0], x.shape[1], shape.result[0], shape.result[1]])
    if S.self == Float.self {
        Pooling.average(shape, input.of(Float.self), into: y.of(Float.self))
    } else {
        PoolingTwin.average(shape, input.of(Double.self), into: y.of(Double.self))
    }
    withExtendedLifetime(input) {}
    let basics = { () throws(TensorError) in
        let taps = try axes.taps(of: x, paddedWith: 0, size: [size.0, size.1], result: shape.result)
        var sum = taps[0]
        for tap in taps.dropFirst() { sum = try sum + tap }
        return try sum / S(taps.count)
    }
    return .made(by: name, y, from: [x], basics: basics) { [xShape = x.shape] back throws(TensorError) in
        let gradient = try back.gradient.value.contiguous()
        let dx = try Tensor<S>.unfilled(xShape)
        defer { withExtendedLifetime((gradient, dx)) {} }
        if S.self == Float.self {
            Pooling.averageGradient(shape, yGradient: gradient.of(Float.self), into: dx.of(Float.self))
        } else {
            PoolingTwin.averageGradient(shape, yGradient: gradient.of(Double.self), into: dx.of(Double.self))
        }
        return [Variable(dx)]
    }
}

private func maximumPooled<S>(
    _ x: Variable<S>, _ size: (Int, Int), _ window: Window?, rectifies: Bool, _ name: String
) throws(TensorError) -> Variable<S> {
    let (axes, shape) = try poolingShape(x, size, window, name)
    let input = try x.value.contiguous()
    let y = try Tensor<S>.unfilled([x.shape[0], x.shape[1], shape.result[0], shape.result[1]])
    let taps = try PoolingTaps(count: shape.resultCount)
    if S.self == Float.self {
        Pooling.maximum(
            shape, rectifies: rectifies, input.of(Float.self), into: y.of(Float.self), taps: taps.pointer)
    } else {
        PoolingTwin.maximum(
            shape, rectifies: rectifies, input.of(Double.self), into: y.of(Double.self), taps: taps.pointer)
    }
    withExtendedLifetime((input, taps)) {}
    let basics = { () throws(TensorError) in
        let taps = try axes.taps(of: x, paddedWith: -.infinity, size: [size.0, size.1], result: shape.result)
        var largest = taps[0]
        for tap in taps.dropFirst() { largest = try select(tap.value .> largest.value, tap, largest) }
        return rectifies ? try relu(largest) : largest
    }
    return .made(by: name, y, from: [x], basics: basics) { [xShape = x.shape] back throws(TensorError) in
        let gradient = try back.gradient.value.contiguous()
        let dx = try Tensor<S>.unfilled(xShape)
        defer { withExtendedLifetime((gradient, taps, dx)) {} }
        if S.self == Float.self {
            Pooling.maximumGradient(
                shape, yGradient: gradient.of(Float.self), taps: taps.pointer, into: dx.of(Float.self))
        } else {
            PoolingTwin.maximumGradient(
                shape, yGradient: gradient.of(Double.self), taps: taps.pointer, into: dx.of(Double.self))
        }
        return [Variable(dx)]
    }
}

/// Which place of its window each largest number came from, in memory that tensors use again and again.
private struct PoolingTaps {
    private let bytes: Tensor<Int8>

    init(count: Int) throws(TensorError) { bytes = try Tensor.unfilled([count, MemoryLayout<UInt16>.size]) }

    /// Valid as long as the value lives.
    var pointer: UnsafeMutablePointer<UInt16> { bytes.of(UInt16.self) }
}

private func poolingShape<S>(
    _ x: Variable<S>, _ size: (Int, Int), _ window: Window?, _ name: String
) throws(TensorError) -> (WindowAxes, PoolingShape) {
    guard x.rank == 4 else { throw TensorError(name, x.shape, problem: "is not [batch, channel, row, column]") }
    let axes = try WindowAxes(window ?? Window(stride: [size.0, size.1]), x.shape, name)
    let shape = try WindowAxes.sized(name, x.shape) { () throws(KernelError) in
        try PoolingShape(
            planes: x.shape[0] * x.shape[1], plane: [x.shape[2], x.shape[3]], kernel: [size.0, size.1],
            stride: axes.stride, padding: axes.padding, dilation: axes.dilation)
    }
    return (axes, shape)
}
