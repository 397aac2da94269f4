/// B[k, n] of bfloat16 bit patterns, packed once: weights shared by many products.
public typealias PackedBF16Matrix = PackedDotMatrix<UInt16, Float>

/// B[k, n] of int8, packed once with the sums of its columns: weights shared by many products.
public typealias PackedInt8Matrix = PackedDotMatrix<Int8, Int32>

/// A matrix B[k, n] that is packed once for many products: stripes of a kernel's depth, each all its panels.
///
/// Its products have the same bits as `DotProduct.multiply` on the same path.
public final class PackedDotMatrix<Element: BitwiseCopyable, Sum: BitwiseCopyable & AdditiveArithmetic>: Sendable {
    /// Rows of B.
    public let k: Int
    /// Columns of B.
    public let n: Int
    private let kernel: DotKernel
    private let memory: AlignedBuffer<UInt8>

    /// - Throws: `KernelError.memory` if there is not enough memory for the copy.
    init<Path: DotKernelPath>(
        packing b: UnsafePointer<Element>, stride: Int, k: Int, n: Int, path: Path, pool: ThreadPool
    ) throws(KernelError) where Path.Element == Element, Path.Sum == Sum {
        guard let kernel = DotKernel(path.availableOrBest.kernel) ?? DotKernel(Path.portable.kernel) else {
            throw .unavailable(variant: "\(Path.operation)/prepacked", reason: "the portable kernel is missing")
        }
        self.k = k
        self.n = n
        self.kernel = kernel
        let stripes = Self.stripes(of: k, kernel)
        var bytes = 0
        for depth in stripes.map(\.count) { bytes += kernel.stripeBytes(depth: depth, columns: n) }
        memory = try AlignedBuffer(count: bytes)
        var place = UnsafeMutableRawPointer(memory.pointer)
        for stripe in stripes {
            kernel.pack(b + stripe.lowerBound * stride, stride: stride, depth: stripe.count, columns: n, place, pool)
            place += kernel.stripeBytes(depth: stripe.count, columns: n)
        }
    }

    /// C[m, n] = A[m, k] · B; strides count elements.
    public func multiply(
        _ a: UnsafePointer<Element>, aStride: Int, m: Int, into c: UnsafeMutablePointer<Sum>, cStride: Int,
        pool: ThreadPool = .shared
    ) {
        guard m > 0, n > 0 else { return }
        if k == 0 {
            for row in 0..<m { (c + row * cStride).update(repeating: .zero, count: n) }
        }
        var place = UnsafeRawPointer(memory.pointer)
        for stripe in Self.stripes(of: k, kernel) {
            kernel.multiply(
                a + stripe.lowerBound, aStride: aStride, depth: stripe.count, panels: place, columns: n,
                into: c, cStride: cStride, m: m, accumulate: stripe.lowerBound > 0, pool: pool)
            place += kernel.stripeBytes(depth: stripe.count, columns: n)
        }
    }

    private static func stripes(of k: Int, _ kernel: DotKernel) -> [Range<Int>] {
        stride(from: 0, to: k, by: kernel.stripeDepth).map { $0..<min($0 + kernel.stripeDepth, k) }
    }
}

extension PackedDotMatrix where Element == UInt16, Sum == Float {
    /// Copies B into panels; a path that this processor lacks is replaced by its best, the naive one by the portable.
    ///
    /// - Throws: `KernelError.memory` if there is not enough memory for the copy.
    public convenience init(
        _ b: UnsafePointer<UInt16>, stride: Int, k: Int, n: Int, path: DotProduct.BFloat16Path = .best,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try self.init(packing: b, stride: stride, k: k, n: n, path: path, pool: pool)
    }
}

extension PackedDotMatrix where Element == Int8, Sum == Int32 {
    /// Copies B into panels; a path that this processor lacks is replaced by its best, the naive one by the portable.
    ///
    /// - Throws: `KernelError.memory` if there is not enough memory for the copy.
    public convenience init(
        _ b: UnsafePointer<Int8>, stride: Int, k: Int, n: Int, path: DotProduct.Int8Path = .best,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try self.init(packing: b, stride: stride, k: k, n: n, path: path, pool: pool)
    }
}
