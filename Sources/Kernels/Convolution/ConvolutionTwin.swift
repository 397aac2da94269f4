/// Convolution and its gradients by the textbook's loops, in float64.
public enum ConvolutionTwin {
    /// Calls `body(x, weight, y)` with the places of every product of a convolution.
    private static func forEachProduct(_ s: ConvolutionShape, _ body: (Int, Int, Int) -> Void) {
        let (rows, columns) = (s.image[0], s.image[1])
        for image in 0..<s.batch * s.groups {
            let group = image % s.groups
            for output in 0..<s.outputs {
                for row in 0..<s.result[0] {
                    for column in 0..<s.result[1] {
                        let y = ((image * s.outputs + output) * s.result[0] + row) * s.result[1] + column
                        for tap in 0..<s.taps {
                            let place = tap % (s.kernel[0] * s.kernel[1])
                            let channel = tap / (s.kernel[0] * s.kernel[1])
                            let down = place / s.kernel[1] * s.dilation[0] + row * s.stride[0] - s.padding[0]
                            let right = place % s.kernel[1] * s.dilation[1] + column * s.stride[1] - s.padding[1]
                            guard 0..<rows ~= down, 0..<columns ~= right else { continue }
                            let x = ((image * s.channels + channel) * rows + down) * columns + right
                            body(x, (group * s.outputs + output) * s.taps + tap, y)
                        }
                    }
                }
            }
        }
    }

    public static func forward(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Double>, weights: UnsafePointer<Double>,
        bias: UnsafePointer<Double>?, into y: UnsafeMutablePointer<Double>
    ) {
        let places = shape.result[0] * shape.result[1]
        for i in 0..<shape.resultCount { y[i] = bias?[i / places % (shape.groups * shape.outputs)] ?? 0 }
        forEachProduct(shape) { from, weight, to in y[to] += weights[weight] * x[from] }
    }

    public static func inputGradient(
        _ shape: ConvolutionShape, weights: UnsafePointer<Double>, yGradient: UnsafePointer<Double>,
        into xGradient: UnsafeMutablePointer<Double>
    ) {
        xGradient.update(repeating: 0, count: shape.imageCount)
        forEachProduct(shape) { to, weight, from in xGradient[to] += weights[weight] * yGradient[from] }
    }

    public static func weightGradient(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Double>, yGradient: UnsafePointer<Double>,
        into weightGradient: UnsafeMutablePointer<Double>, bias biasGradient: UnsafeMutablePointer<Double>?
    ) {
        weightGradient.update(repeating: 0, count: shape.weightCount)
        forEachProduct(shape) { from, to, y in weightGradient[to] += x[from] * yGradient[y] }
        guard let biasGradient else { return }
        let (places, outputs) = (shape.result[0] * shape.result[1], shape.groups * shape.outputs)
        biasGradient.update(repeating: 0, count: outputs)
        for i in 0..<shape.resultCount { biasGradient[i / places % outputs] += yGradient[i] }
    }
}
