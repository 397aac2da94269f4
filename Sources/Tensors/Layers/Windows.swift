/// The windows of a kernel over [batch, channel, row, column].
struct Windows {
    /// Windows along rows and columns.
    let outputs: [Int]
    private let kernel: [Int]
    private let stride: [Int]
    private let padding: [Int]
    private let dilation: [Int]

    /// - Throws: `TensorError` where a window is larger than the padded input, or where a number makes no sense.
    init(_ shape: [Int], _ kernel: [Int], _ window: Window, _ name: String) throws(TensorError) {
        func both(_ values: [Int], _ role: String, from least: Int) throws(TensorError) -> [Int] {
            guard values.count == 1 || values.count == 2, !values.contains(where: { $0 < least || $0 > 1 << 30 }) else {
                throw TensorError(name, shape, problem: "does not support \(role) \(values)")
            }
            return values.count == 1 ? [values[0], values[0]] : values
        }
        stride = try both(window.stride, "stride", from: 1)
        padding = try both(window.padding, "padding", from: 0)
        dilation = try both(window.dilation, "dilation", from: 1)
        self.kernel = try both(kernel, "kernel", from: 1)
        var outputs: [Int] = []
        for axis in 0..<2 {
            let size = shape[axis + 2] + 2 * padding[axis]
            let reach = (kernel[axis] - 1) * dilation[axis] + 1
            guard size >= reach else {
                throw TensorError(name, shape, kernel, problem: "are incompatible: the kernel is larger than the input")
            }
            outputs.append((size - reach) / stride[axis] + 1)
        }
        self.outputs = outputs
    }

    func padded<S>(_ x: Tensor<S>, with value: S) throws(TensorError) -> Tensor<S> {
        if padding == [0, 0] { return x }
        return try x.padded([(0, 0), (0, 0), (padding[0], padding[0]), (padding[1], padding[1])], with: value)
    }

    /// [batch, group, channel, tap row, tap column, row, column]: overlapping windows without a copy.
    func view<S>(_ x: Tensor<S>, splitting groups: Int) throws(TensorError) -> Tensor<S> {
        let strides = x.strides
        let shape = [x.shape[0], groups, x.shape[1] / groups] + kernel + outputs
        return Tensor(
            view: x.storage, shape: shape,
            strides: [
                strides[0], strides[1] * (x.shape[1] / groups), strides[1], strides[2] * dilation[0],
                strides[3] * dilation[1], strides[2] * stride[0], strides[3] * stride[1],
            ], offset: x.offset, count: try Shape.count(shape, "windows"))
    }
}
