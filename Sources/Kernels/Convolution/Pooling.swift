internal import CKernels

/// The windows of a pooling over planes [planes, rows, columns].
public struct PoolingShape: Equatable, Sendable {
    public let planes: Int
    /// Rows and columns of a plane, of a window, and so on.
    public let plane, kernel, stride, padding, dilation: [Int]
    /// Rows and columns of the result.
    public let result: [Int]

    /// - Throws: `KernelError.shape` where a size makes no sense, a window is larger than the padded plane, has 65,535
    ///   places or more, or may hold nothing but padding.
    public init(
        planes: Int, plane: [Int], kernel: [Int], stride: [Int], padding: [Int] = [0, 0], dilation: [Int] = [1, 1]
    ) throws(KernelError) {
        let limit = 1 << 30
        guard [plane, kernel, stride, padding, dilation].allSatisfy({ $0.count == 2 }),
            ([planes] + plane + kernel + stride + dilation).allSatisfy({ 1...limit ~= $0 }),
            padding.allSatisfy({ 0...limit ~= $0 })
        else { throw .shape(operation: "pooling", problem: "sizes must be 1 to 2^30") }
        guard kernel[0] * kernel[1] < 65535 else {
            throw .shape(
                operation: "pooling",
                problem: "a window of \(kernel) is too large: at most 65,534 elements are supported")
        }
        var result: [Int] = []
        for axis in 0..<2 {
            guard 2 * padding[axis] <= kernel[axis] else {
                throw .shape(
                    operation: "pooling", problem: "a padding of \(padding[axis]) is more than half the window")
            }
            let size = plane[axis] + 2 * padding[axis]
            let reach = (kernel[axis] - 1) * dilation[axis] + 1
            guard size >= reach else {
                throw .shape(operation: "pooling", problem: "the window is larger than the padded plane")
            }
            result.append((size - reach) / stride[axis] + 1)
        }
        self.planes = planes
        (self.plane, self.kernel, self.stride) = (plane, kernel, stride)
        (self.padding, self.dilation, self.result) = (padding, dilation, result)
    }

    public var count: Int { planes * plane[0] * plane[1] }
    public var resultCount: Int { planes * result[0] * result[1] }

    /// Windows of 2 x 2 side by side, which have a kernel of their own.
    var isHalving: Bool { kernel == [2, 2] && stride == [2, 2] && padding == [0, 0] && dilation == [1, 1] }

    var sizes: orrery_pooling {
        orrery_pooling(
            rows: plane[0], columns: plane[1], kernel_rows: kernel[0], kernel_columns: kernel[1],
            stride_rows: stride[0], stride_columns: stride[1], padding_rows: padding[0], padding_columns: padding[1],
            dilation_rows: dilation[0], dilation_columns: dilation[1], out_rows: result[0], out_columns: result[1])
    }
}

/// The largest number and the mean of windows, with their gradients, in float32.
public enum Pooling {
    /// The largest number of each window; the padding counts as minus infinity.
    ///
    /// - Parameters:
    ///   - rectifies: y is max(y, 0), as if relu had come before or after.
    ///   - taps: [result], gets which place of its window each number comes from, for the gradient.
    public static func maximum(
        _ shape: PoolingShape, rectifies: Bool = false, _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>,
        taps: UnsafeMutablePointer<UInt16>, pool: ThreadPool = .shared
    ) {
        maximum(shape, rectifies: rectifies, x, into: y, taps: taps, pool: pool, path: .best)
    }

    /// The gradient of x: each window's goes to the number that was the largest.
    public static func maximumGradient(
        _ shape: PoolingShape, yGradient: UnsafePointer<Float>, taps: UnsafePointer<UInt16>,
        into xGradient: UnsafeMutablePointer<Float>, pool: ThreadPool = .shared
    ) {
        maximumGradient(shape, yGradient: yGradient, taps: taps, into: xGradient, pool: pool, path: .best)
    }

    /// The mean of each window; the padding counts as zeros.
    public static func average(
        _ shape: PoolingShape, _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>,
        pool: ThreadPool = .shared
    ) {
        inChunks(shape, pool) { sizes, part in
            orrery_average_pool(sizes, part.planes, x + part.x, y + part.y)
        }
    }

    /// The gradient of x: each window's is shared out evenly.
    public static func averageGradient(
        _ shape: PoolingShape, yGradient: UnsafePointer<Float>, into xGradient: UnsafeMutablePointer<Float>,
        pool: ThreadPool = .shared
    ) {
        inChunks(shape, pool) { sizes, part in
            orrery_average_pool_gradient(sizes, part.planes, yGradient + part.y, xGradient + part.x)
        }
    }
}

extension Pooling {
    package static func maximum(
        _ shape: PoolingShape, rectifies: Bool, _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>,
        taps: UnsafeMutablePointer<UInt16>, pool: ThreadPool, path: ElementwisePath
    ) {
        let isHalving = shape.isHalving
        inChunks(shape, pool) { sizes, part in
            #if arch(x86_64)
                if path == .avx512 && isHalving {
                    return orrery_max_pool_2x2_avx512(
                        sizes, part.planes, rectifies ? 1 : 0, x + part.x, y + part.y, taps + part.y)
                }
            #endif
            orrery_max_pool_portable(sizes, part.planes, rectifies ? 1 : 0, x + part.x, y + part.y, taps + part.y)
        }
    }

    package static func maximumGradient(
        _ shape: PoolingShape, yGradient: UnsafePointer<Float>, taps: UnsafePointer<UInt16>,
        into xGradient: UnsafeMutablePointer<Float>, pool: ThreadPool, path: ElementwisePath
    ) {
        let isHalving = shape.isHalving
        inChunks(shape, pool) { sizes, part in
            #if arch(x86_64)
                if path == .avx512 && isHalving {
                    return orrery_max_pool_2x2_gradient_avx512(
                        sizes, part.planes, yGradient + part.y, taps + part.y, xGradient + part.x)
                }
            #endif
            orrery_max_pool_gradient_portable(
                sizes, part.planes, yGradient + part.y, taps + part.y, xGradient + part.x)
        }
    }

    /// Planes, and where they begin in x and y.
    private typealias Part = (planes: Int, x: Int, y: Int)

    private static func inChunks(
        _ shape: PoolingShape, _ pool: ThreadPool, _ body: (UnsafePointer<orrery_pooling>, Part) -> Void
    ) {
        let size = shape.plane[0] * shape.plane[1]
        let planes = max(1, 32768 / size)
        withUnsafePointer(to: shape.sizes) { sizes in
            pool.run(chunks: (shape.planes + planes - 1) / planes) { chunk, _ in
                let first = chunk * planes
                body(
                    sizes, (min(planes, shape.planes - first), first * size, first * shape.result[0] * shape.result[1]))
            }
        }
    }
}
