/// Centers laid out for the kernels of codes: blocks of 64, `[block, dimension, 64]`, filled up with centers that are
/// never nearest.
///
/// ```swift
/// let panels = try CenterPanels(centers, count: 1024, dimension: 128, isInnerProduct: false)
/// panels.nearest(to: points, stride: 128, count: 1_000, indices)
/// ```
package final class CenterPanels: @unchecked Sendable {  // written in init alone
    package let count: Int
    package let dimension: Int
    /// Whether the nearest center is that of the largest inner product; else of the least distance.
    package let isInnerProduct: Bool
    package let blocks: Int
    private let panels: AlignedBuffer<Float>
    private let bias: AlignedBuffer<Float>
    private let zeros: AlignedBuffer<Float>
    private let factor: Float

    /// Centers of one block.
    package static let width = 64

    /// - Parameter centers: `[count, dimension]`.
    package init(
        _ centers: UnsafePointer<Float>, count: Int, dimension: Int, isInnerProduct: Bool
    ) throws(KernelError) {
        self.count = count
        self.dimension = dimension
        self.isInnerProduct = isInnerProduct
        blocks = (count + Self.width - 1) / Self.width
        panels = try AlignedBuffer(count: blocks * Self.width * dimension)
        bias = try AlignedBuffer(count: blocks * Self.width)
        zeros = try AlignedBuffer(count: blocks * Self.width)
        factor = isInnerProduct ? -1 : -2
        for center in 0..<blocks * Self.width {
            guard center < count else {
                bias.pointer[center] = .infinity
                continue
            }
            let block = panels.pointer + center / Self.width * Self.width * dimension + center % Self.width
            var square: Float = 0
            for column in 0..<dimension {
                let value = centers[center * dimension + column]
                block[column * Self.width] = value
                square += value * value
            }
            bias.pointer[center] = isInnerProduct ? 0 : square
        }
    }

    /// Numbers that ``distances(to:into:)`` writes.
    package var paddedCount: Int { blocks * Self.width }

    /// |c|² − 2 x·c for each center, or −x·c: the squared distance without |x|², which is the same for all. Infinity for
    /// the filling.
    package func distances(
        to x: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, path: CodesPath = .best
    ) {
        path.kernels.tables(x, dimension, panels.pointer, bias.pointer, factor, blocks, out)
    }

    /// factor · x·c for each center, 0 for the filling.
    package func products(
        of x: UnsafePointer<Float>, factor: Float, into out: UnsafeMutablePointer<Float>, path: CodesPath = .best
    ) {
        path.kernels.tables(x, dimension, panels.pointer, zeros.pointer, factor, blocks, out)
    }

    /// The nearest center of each point, the first of equally near ones.
    ///
    /// - Parameters:
    ///   - points: `[count]` rows of `dimension` floats, `stride` apart.
    ///   - distances: what ``distances(to:into:)`` says of the nearest.
    package func nearest(
        to points: UnsafePointer<Float>, stride: Int, count: Int, _ indices: UnsafeMutablePointer<Int32>,
        distances: UnsafeMutablePointer<Float>? = nil, path: CodesPath = .best
    ) {
        path.kernels.nearest(
            points, stride, dimension, count, panels.pointer, bias.pointer, factor, blocks, indices, distances)
    }
}
