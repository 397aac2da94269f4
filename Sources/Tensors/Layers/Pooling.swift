/// The largest element of each window of [batch, channel, row, column]; the padding counts as minus infinity.
///
/// - Parameter size: rows and columns of a window; windows stand side by side where no stride is given.
public func maxPool2d<S: NumericScalar>(
    _ x: Tensor<S>, _ size: (Int, Int), _ window: Window? = nil
) throws(TensorError) -> Tensor<S> {
    try pooled(x, size, window, padding: .lowest, "maxPool2d").maximum(-1, -2)
}

/// The mean of each window of [batch, channel, row, column]; the padding counts as zeros.
///
/// - Parameter size: rows and columns of a window; windows stand side by side where no stride is given.
public func averagePool2d<S: FloatingScalar>(
    _ x: Tensor<S>, _ size: (Int, Int), _ window: Window? = nil
) throws(TensorError) -> Tensor<S> {
    try pooled(x, size, window, padding: S(rounding: Double.zero), "averagePool2d").mean(-1, -2)
}

/// The largest element of each window of [batch, channel, place]; the padding counts as minus infinity.
public func maxPool1d<S: NumericScalar>(
    _ x: Tensor<S>, _ size: Int, _ window: Window? = nil
) throws(TensorError) -> Tensor<S> {
    try maxPool2d(row(x, "maxPool1d"), (1, size), along(window, size)).squeezed(2)
}

/// The mean of each window of [batch, channel, place]; the padding counts as zeros.
public func averagePool1d<S: FloatingScalar>(
    _ x: Tensor<S>, _ size: Int, _ window: Window? = nil
) throws(TensorError) -> Tensor<S> {
    try averagePool2d(row(x, "averagePool1d"), (1, size), along(window, size)).squeezed(2)
}

private func row<S>(_ x: Tensor<S>, _ name: String) throws(TensorError) -> Tensor<S> {
    guard x.rank == 3 else { throw TensorError(name, x.shape, problem: "is not [batch, channel, position]") }
    return try x.expanded(at: 2)
}

private func along(_ window: Window?, _ size: Int) -> Window {
    Window(
        stride: [1, window?.stride.last ?? size], padding: [0, window?.padding.last ?? 0],
        dilation: [1, window?.dilation.last ?? 1])
}

/// The windows as views: [batch, channel, row, column, tap row, tap column].
private func pooled<S>(
    _ x: Tensor<S>, _ size: (Int, Int), _ window: Window?, padding: S, _ name: String
) throws(TensorError) -> Tensor<S> {
    guard x.rank == 4 else { throw TensorError(name, x.shape, problem: "is not [batch, channel, row, column]") }
    let places = try Windows(x.shape, [size.0, size.1], window ?? Window(stride: [size.0, size.1]), name)
    let view = try places.view(places.padded(x, with: padding), splitting: 1)
    return try view.squeezed(1).permuted([0, 1, 4, 5, 2, 3])
}
