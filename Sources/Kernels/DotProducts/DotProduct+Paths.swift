internal import CKernels

/// A way to multiply matrices of short numbers: one of the paths of `DotProduct`.
public protocol DotProductPath: CaseIterable, Sendable {
    /// The instructions that it needs.
    var needs: ProcessorFeatures { get }
}

extension DotProductPath {
    public var isAvailable: Bool { ProcessorFeatures.present.isSuperset(of: needs) }
}

extension DotProduct {
    /// A way to multiply bfloat16.
    public enum BFloat16Path: String, DotProductPath {
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

        public var needs: ProcessorFeatures {
            switch self {
            case .naive, .portable: []
            case .avx2: .avx2
            case .avx512: [.avx2, .avx512]
            case .dot: [.avx2, .avx512, .bf16]
            }
        }

        /// The fastest on this processor.
        public static let best = fastest
    }

    /// A way to multiply int8; all give the same numbers.
    public enum Int8Path: String, DotProductPath {
        /// Three loops.
        case naive
        /// Pairs of int16 in panels.
        case portable
        /// The same, 256-bit vpmaddwd.
        case avx2
        /// vpdpbusd: fours, at four times the rate of float32.
        case vnni

        public var needs: ProcessorFeatures {
            switch self {
            case .naive, .portable: []
            case .avx2: .avx2
            case .vnni: [.avx2, .avx512, .vnni]
            }
        }

        /// The fastest on this processor.
        public static let best = fastest
    }
}

/// What the loops around a tile know of a path: the tile in C, and the types of what goes in and comes out.
protocol DotKernelPath: DotProductPath {
    associatedtype Element: BitwiseCopyable
    associatedtype Sum: BitwiseCopyable & AdditiveArithmetic
    /// C[m, n] = A[m, k] · B[k, n] by three loops: a, its stride, b, its stride, c, its stride, m, n, k.
    typealias Textbook = (
        UnsafePointer<Element>?, Int, UnsafePointer<Element>?, Int, UnsafeMutablePointer<Sum>?, Int, Int, Int, Int
    ) -> Void

    /// The name of the operation in the catalog.
    static var operation: String { get }
    static var textbook: Textbook { get }
    static var portable: Self { get }
    static var best: Self { get }
    /// Nil for the textbook.
    var kernel: orrery_dot_path? { get }
}

extension DotKernelPath {
    /// The last of the ladder that runs here.
    static var fastest: Self { allCases.reversed().first { $0.isAvailable } ?? .portable }

    /// The path itself, or the best one where this processor lacks it.
    var availableOrBest: Self { isAvailable ? self : .best }
}

extension DotProduct.BFloat16Path: DotKernelPath {
    typealias Element = UInt16
    typealias Sum = Float

    static var operation: String { "gemm-bf16" }
    static var textbook: Textbook { orrery_gemm_bf16_naive }

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

extension DotProduct.Int8Path: DotKernelPath {
    typealias Element = Int8
    typealias Sum = Int32

    static var operation: String { "gemm-int8" }
    static var textbook: Textbook { orrery_gemm_int8_naive }

    var kernel: orrery_dot_path? {
        switch self {
        case .naive: nil
        case .portable: ORRERY_INT8_PORTABLE
        case .avx2: ORRERY_INT8_AVX2
        case .vnni: ORRERY_INT8_VNNI
        }
    }
}
