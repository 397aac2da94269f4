internal import CKernels

/// Products of matrices in 16 and 8 bits: C = A · B, row-major, summed in 32 bits.
///
/// ```swift
/// DotProduct.multiply(int8: a, aStride: k, by: b, bStride: n, into: c, cStride: n, m: m, n: n, k: k)
/// ```
///
/// Strides count elements from one row to the next. How sums are ordered depends on `k` alone: the same bits come out
/// for any number of threads, and for a row alone or among others.
public enum DotProduct {
    /// C[m, n] = A[m, k] · B[k, n] of bfloat16 bit patterns, summed in float32.
    ///
    /// Against the sum in real numbers an element errs by at most γ(r) Σ|a||b| with r = k + k/512 + 1 roundings,
    /// γ(r) = r u / (1 - r u) and u = 2⁻²⁴ (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
    /// On `BFloat16Path.dot` subnormal inputs and results count as zero besides.
    ///
    /// - Parameter path: one that this processor lacks is replaced by its best.
    public static func multiply(
        bf16 a: UnsafePointer<UInt16>, aStride: Int, by b: UnsafePointer<UInt16>, bStride: Int,
        into c: UnsafeMutablePointer<Float>, cStride: Int, m: Int, n: Int, k: Int,
        path: BFloat16Path = .best, pool: ThreadPool = .shared
    ) {
        let done = DotKernel(path.isAvailable ? path.kernel : BFloat16Path.best.kernel)?.multiply(
            a, aStride: aStride, by: b, bStride: bStride, into: c, cStride: cStride, m: m, n: n, k: k, pool: pool)
        if done == true { return }
        inRows(of: m, pool: pool) { row in
            orrery_gemm_bf16_naive(
                a + row * aStride, aStride, b, bStride, c + row * cStride, cStride, 1, n, k)
        }
    }

    /// C[m, n] = A[m, k] · B[k, n] of int8, exact in int32.
    ///
    /// Sums that leave int32, which takes k of 131,072 or more, wrap around.
    ///
    /// - Parameter path: one that this processor lacks is replaced by its best.
    public static func multiply(
        int8 a: UnsafePointer<Int8>, aStride: Int, by b: UnsafePointer<Int8>, bStride: Int,
        into c: UnsafeMutablePointer<Int32>, cStride: Int, m: Int, n: Int, k: Int,
        path: Int8Path = .best, pool: ThreadPool = .shared
    ) {
        let done = DotKernel(path.isAvailable ? path.kernel : Int8Path.best.kernel)?.multiply(
            a, aStride: aStride, by: b, bStride: bStride, into: c, cStride: cStride, m: m, n: n, k: k, pool: pool)
        if done == true { return }
        inRows(of: m, pool: pool) { row in
            orrery_gemm_int8_naive(
                a + row * aStride, aStride, b, bStride, c + row * cStride, cStride, 1, n, k)
        }
    }

    /// The textbook loops need no memory: they stand in where there is none for panels.
    private static func inRows(of m: Int, pool: ThreadPool, _ body: (Int) -> Void) {
        pool.run(chunks: m) { row, _ in body(row) }
    }

    /// A way to multiply bfloat16.
    public enum BFloat16Path: String, CaseIterable, Sendable {
        /// Three loops, each element widened where it is used.
        case naive
        /// Widened to float32 while packing into panels.
        case portable
        /// The same, 256-bit fused multiply-add.
        case avx2
        /// The same, 512-bit fused multiply-add.
        case avx512
        /// vdpbf16ps: pairs, at twice the rate of float32.
        case dot

        /// The instructions that it needs.
        public var needs: ProcessorFeatures {
            switch self {
            case .naive, .portable: []
            case .avx2: .avx2
            case .avx512: [.avx2, .avx512]
            case .dot: [.avx2, .avx512, .bf16]
            }
        }

        public var isAvailable: Bool { ProcessorFeatures.present.isSuperset(of: needs) }

        /// The fastest on this processor.
        public static let best: Self = allCases.last { $0.isAvailable } ?? .portable

        var kernel: orrery_dot_path? {
            switch self {
            case .naive: nil
            case .portable: ORRERY_BF16_PORTABLE
            case .avx2: ORRERY_BF16_AVX2
            case .avx512: ORRERY_BF16_AVX512
            case .dot: ORRERY_BF16_DOT
            }
        }
    }

    /// A way to multiply int8; all give the same numbers.
    public enum Int8Path: String, CaseIterable, Sendable {
        /// Three loops.
        case naive
        /// Pairs of int16 in panels.
        case portable
        /// The same, 256-bit vpmaddwd.
        case avx2
        /// vpdpbusd: fours, at four times the rate of float32.
        case vnni

        /// The instructions that it needs.
        public var needs: ProcessorFeatures {
            switch self {
            case .naive, .portable: []
            case .avx2: .avx2
            case .vnni: [.avx2, .avx512, .vnni]
            }
        }

        public var isAvailable: Bool { ProcessorFeatures.present.isSuperset(of: needs) }

        /// The fastest on this processor.
        public static let best: Self = allCases.last { $0.isAvailable } ?? .portable

        var kernel: orrery_dot_path? {
            switch self {
            case .naive: nil
            case .portable: ORRERY_INT8_PORTABLE
            case .avx2: ORRERY_INT8_AVX2
            case .vnni: ORRERY_INT8_VNNI
            }
        }
    }
}
