/// A matrix B[k, n] that is packed once for many products: stripes of a kernel's depth, each all its panels.
struct PackedPanels: Sendable {
    let k: Int
    let n: Int
    private let kernel: DotKernel
    private let memory: AlignedBuffer<UInt8>

    /// - Throws: `KernelError.memory` where there is none for the copy.
    init<Element>(
        _ b: UnsafePointer<Element>, stride: Int, k: Int, n: Int, kernel: DotKernel, pool: ThreadPool
    ) throws(KernelError) {
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

    /// C[m, n] = A[m, k] · B.
    func multiply<Element, Sum: AdditiveArithmetic>(
        _ a: UnsafePointer<Element>, aStride: Int, m: Int, into c: UnsafeMutablePointer<Sum>, cStride: Int,
        pool: ThreadPool
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

/// B[k, n] of bfloat16 bit patterns, packed once: weights that many products share.
///
/// Its products have the same bits as `DotProduct.multiply` on the same path.
public final class PackedBF16Matrix: Sendable {
    private let panels: PackedPanels

    /// Copies B into panels; a path that this processor lacks is replaced by its best, the naive one by the portable.
    ///
    /// - Throws: `KernelError.memory` where there is none for the copy.
    public init(
        _ b: UnsafePointer<UInt16>, stride: Int, k: Int, n: Int, path: DotProduct.BFloat16Path = .best,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        let path = path.isAvailable ? path : .best
        guard let kernel = DotKernel(path.kernel) ?? DotKernel(DotProduct.BFloat16Path.portable.kernel) else {
            throw .unavailable(variant: "gemm-bf16/prepacked", reason: "the portable kernel is missing")
        }
        panels = try PackedPanels(b, stride: stride, k: k, n: n, kernel: kernel, pool: pool)
    }

    /// Rows of B.
    public var k: Int { panels.k }
    /// Columns of B.
    public var n: Int { panels.n }

    /// C[m, n] = A[m, k] · B; strides count elements.
    public func multiply(
        _ a: UnsafePointer<UInt16>, aStride: Int, m: Int, into c: UnsafeMutablePointer<Float>, cStride: Int,
        pool: ThreadPool = .shared
    ) {
        panels.multiply(a, aStride: aStride, m: m, into: c, cStride: cStride, pool: pool)
    }
}

/// B[k, n] of int8, packed once with the sums of its columns: weights that many products share.
public final class PackedInt8Matrix: Sendable {
    private let panels: PackedPanels

    /// Copies B into panels; a path that this processor lacks is replaced by its best, the naive one by the portable.
    ///
    /// - Throws: `KernelError.memory` where there is none for the copy.
    public init(
        _ b: UnsafePointer<Int8>, stride: Int, k: Int, n: Int, path: DotProduct.Int8Path = .best,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        let path = path.isAvailable ? path : .best
        guard let kernel = DotKernel(path.kernel) ?? DotKernel(DotProduct.Int8Path.portable.kernel) else {
            throw .unavailable(variant: "gemm-int8/prepacked", reason: "the portable kernel is missing")
        }
        panels = try PackedPanels(b, stride: stride, k: k, n: n, kernel: kernel, pool: pool)
    }

    /// Rows of B.
    public var k: Int { panels.k }
    /// Columns of B.
    public var n: Int { panels.n }

    /// C[m, n] = A[m, k] · B, exact; strides count elements.
    public func multiply(
        _ a: UnsafePointer<Int8>, aStride: Int, m: Int, into c: UnsafeMutablePointer<Int32>, cStride: Int,
        pool: ThreadPool = .shared
    ) {
        panels.multiply(a, aStride: aStride, m: m, into: c, cStride: cStride, pool: pool)
    }
}
