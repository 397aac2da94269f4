internal import CKernels

/// The sizes of a two-dimensional convolution.
///
/// x is [batch, groups · channels, rows, columns], the weights [groups · outputs, channels, kernel rows, kernel columns],
/// y [batch, groups · outputs, out rows, out columns]; all are contiguous.
public struct ConvolutionShape: Equatable, Sendable {
    public let batch, groups: Int
    /// Channels and outputs of one group.
    public let channels, outputs: Int
    /// Rows and columns of an image, of the kernel, and so on.
    public let image, kernel, stride, padding, dilation: [Int]
    /// Rows and columns of the result.
    public let result: [Int]

    /// - Parameters:
    ///   - image: rows and columns, as all the others.
    /// - Throws: `KernelError.shape` where a size makes no sense or the kernel is larger than the padded image.
    public init(
        batch: Int, groups: Int = 1, channels: Int, outputs: Int, image: [Int], kernel: [Int], stride: [Int] = [1, 1],
        padding: [Int] = [0, 0], dilation: [Int] = [1, 1]
    ) throws(KernelError) {
        let counts = [batch, groups, channels, outputs]
        let pairs = [image, kernel, stride, padding, dilation]
        guard pairs.allSatisfy({ $0.count == 2 }),
            (counts + image + kernel + stride + dilation).allSatisfy({ 1...(1 << 30) ~= $0 }),
            padding.allSatisfy({ 0...(1 << 30) ~= $0 })
        else { throw .shape(operation: "convolution", problem: "sizes must be 1 to 2^30") }
        var result: [Int] = []
        for axis in 0..<2 {
            let reach = (kernel[axis] - 1) * dilation[axis] + 1
            let size = image[axis] + 2 * padding[axis]
            guard size >= reach else {
                throw .shape(operation: "convolution", problem: "the kernel is larger than the padded image")
            }
            result.append((size - reach) / stride[axis] + 1)
        }
        (self.batch, self.groups, self.channels, self.outputs) = (batch, groups, channels, outputs)
        (self.image, self.kernel, self.stride) = (image, kernel, stride)
        (self.padding, self.dilation, self.result) = (padding, dilation, result)
        try Self.check([batch, groups, channels, image[0] + 2 * padding[0], image[1] + 2 * padding[1]])
        try Self.check([batch, groups, outputs, result[0], result[1]])
        try Self.check([groups, outputs, channels, kernel[0], kernel[1]])
        // What a thread keeps: the windows of an image as columns, or padded planes of one.
        try Self.check([channels, kernel[0], kernel[1], result[0], result[1]])
        try Self.check([outputs, image[0] + 2 * (kernel[0] * dilation[0]), image[1] + 2 * (kernel[1] * dilation[1])])
    }

    private static func check(_ sizes: [Int]) throws(KernelError) {
        var count = 1
        for size in sizes {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow, product < 1 << 43 else { throw .memory(bytes: nil) }
            count = product
        }
    }

    /// Channels times kernel places: what one number of the result is a sum over.
    public var taps: Int { channels * kernel[0] * kernel[1] }
    public var imageCount: Int { batch * groups * channels * image[0] * image[1] }
    public var weightCount: Int { groups * outputs * taps }
    public var resultCount: Int { batch * groups * outputs * result[0] * result[1] }

    var sizes: orrery_convolution {
        orrery_convolution(
            batch: batch, groups: groups, channels: channels, outputs: outputs, rows: image[0], columns: image[1],
            kernel_rows: kernel[0], kernel_columns: kernel[1], stride_rows: stride[0], stride_columns: stride[1],
            padding_rows: padding[0], padding_columns: padding[1], dilation_rows: dilation[0],
            dilation_columns: dilation[1], out_rows: result[0], out_columns: result[1])
    }
}

/// How a convolution is computed.
package enum ConvolutionPath: String, CaseIterable, Sendable {
    /// By columns and a matrix product, which take every shape.
    case portable, avx2, avx512
    /// From the padded planes, without columns; for a stride of 1.
    case direct

    package var isPresent: Bool {
        switch self {
        case .portable: true
        case .avx2: ProcessorFeatures.present.contains(.avx2)
        case .avx512, .direct: ProcessorFeatures.present.contains(.avx512)
        }
    }

    package func takes(_ shape: ConvolutionShape) -> Bool {
        var sizes = shape.sizes
        return isPresent && (self != .direct || orrery_convolution_is_direct(&sizes) != 0)
    }

    /// The quickest for a shape: the last that takes it.
    package static func best(for shape: ConvolutionShape) -> ConvolutionPath {
        allCases.last { $0.takes(shape) } ?? .portable
    }

    var number: Int32 {
        switch self {
        case .portable: Int32(ORRERY_CONVOLUTION_PORTABLE)
        case .avx2: Int32(ORRERY_CONVOLUTION_AVX2)
        case .avx512: Int32(ORRERY_CONVOLUTION_AVX512)
        case .direct: Int32(ORRERY_CONVOLUTION_DIRECT)
        }
    }
}
