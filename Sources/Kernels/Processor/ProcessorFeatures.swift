internal import CKernels

/// The groups of instructions that kernels ask for.
public struct ProcessorFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 256-bit vectors with fused multiply-add and half-precision conversions.
    public static let avx2 = Self(rawValue: 1 << 0)
    /// 512-bit vectors: F, BW, DQ and VL.
    public static let avx512 = Self(rawValue: 1 << 1)
    /// Dot products of int8.
    public static let vnni = Self(rawValue: 1 << 2)
    /// Dot products of bfloat16.
    public static let bf16 = Self(rawValue: 1 << 3)

    /// What this machine has.
    public static let present = Self(rawValue: orrery_processor_features())

    private static let names: [(Self, String)] = [
        (.avx2, "AVX2"), (.avx512, "AVX-512"), (.vnni, "AVX-512 VNNI"), (.bf16, "AVX-512 BF16"),
    ]

    /// `AVX2, AVX-512`; empty for none.
    public var names: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
