internal import CKernels
internal import Synchronization

/// Two-dimensional convolution and its gradients, in float32.
///
/// The batch is spread over the threads. How sums are cut depends on the shape alone: the same input gives the same
/// bits on any number of threads.
///
/// ```swift
/// let shape = try ConvolutionShape(
///     batch: 64, channels: 1, outputs: 16, image: [28, 28], kernel: [3, 3], padding: [1, 1])
/// try Convolution.forward(shape, x, weights: w, bias: b, into: y)          // y [64, 16, 28, 28]
/// ```
public enum Convolution {
    /// y = weights ⋆ x + bias.
    ///
    /// - Parameter bias: [outputs of all groups], or none.
    /// - Throws: `KernelError.memory` if there is not enough memory for padded planes or columns.
    public static func forward(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Float>, weights: UnsafePointer<Float>,
        bias: UnsafePointer<Float>?, into y: UnsafeMutablePointer<Float>, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try forward(shape, x, weights: weights, bias: bias, into: y, pool: pool, path: .best(for: shape))
    }

    /// The gradient of x, from that of y.
    public static func inputGradient(
        _ shape: ConvolutionShape, weights: UnsafePointer<Float>, yGradient: UnsafePointer<Float>,
        into xGradient: UnsafeMutablePointer<Float>, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try inputGradient(
            shape, weights: weights, yGradient: yGradient, into: xGradient, pool: pool, path: .best(for: shape))
    }

    /// The gradients of weights and bias, from that of y.
    public static func weightGradient(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Float>, yGradient: UnsafePointer<Float>,
        into weightGradient: UnsafeMutablePointer<Float>, bias biasGradient: UnsafeMutablePointer<Float>?,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try self.weightGradient(
            shape, x, yGradient: yGradient, into: weightGradient, bias: biasGradient, pool: pool,
            path: .best(for: shape))
    }
}

extension Convolution {
    package static func forward(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Float>, weights: UnsafePointer<Float>,
        bias: UnsafePointer<Float>?, into y: UnsafeMutablePointer<Float>, pool: ThreadPool, path: ConvolutionPath
    ) throws(KernelError) {
        var sizes = shape.sizes
        try inChunks(orrery_convolution_chunks(&sizes), shape, pool) { sizes, chunk in
            orrery_convolution_forward(path.number, sizes, x, weights, bias, y, chunk)
        }
    }

    package static func inputGradient(
        _ shape: ConvolutionShape, weights: UnsafePointer<Float>, yGradient: UnsafePointer<Float>,
        into xGradient: UnsafeMutablePointer<Float>, pool: ThreadPool, path: ConvolutionPath
    ) throws(KernelError) {
        var sizes = shape.sizes
        try inChunks(orrery_convolution_chunks(&sizes), shape, pool) { sizes, chunk in
            orrery_convolution_input_gradient(path.number, sizes, weights, yGradient, xGradient, chunk)
        }
    }

    package static func weightGradient(
        _ shape: ConvolutionShape, _ x: UnsafePointer<Float>, yGradient: UnsafePointer<Float>,
        into weightGradient: UnsafeMutablePointer<Float>, bias biasGradient: UnsafeMutablePointer<Float>?,
        pool: ThreadPool, path: ConvolutionPath
    ) throws(KernelError) {
        var sizes = shape.sizes
        let (weights, biases) = (shape.weightCount, shape.groups * shape.outputs)
        let count = weights + biases
        let parts = orrery_convolution_weight_parts(&sizes)
        guard let start = orrery_convolution_weight_memory(&sizes) else { throw .memory(bytes: 4 * parts * count) }
        try inChunks(orrery_convolution_weight_chunks(&sizes), shape, pool) { sizes, chunk in
            orrery_convolution_weight_gradient(path.number, sizes, x, yGradient, start, chunk)
        }
        for part in 1..<max(1, parts) { Elementwise.add(start + part * count, to: start, count: count) }
        weightGradient.update(from: start, count: weights)
        biasGradient?.update(from: start + weights, count: biases)
    }

    private static func inChunks(
        _ chunks: Int, _ shape: ConvolutionShape, _ pool: ThreadPool,
        _ body: (UnsafePointer<orrery_convolution>, Int) -> Int32
    ) throws(KernelError) {
        let failed = Atomic(false)
        withUnsafePointer(to: shape.sizes) { sizes in
            pool.run(chunks: chunks) { chunk, _ in
                if body(sizes, chunk) != 0 { failed.store(true, ordering: .relaxed) }
            }
        }
        if failed.load(ordering: .relaxed) { throw .memory(bytes: 4 * shape.taps * shape.result[0] * shape.result[1]) }
    }
}
