internal import CKernels

/// How the elements of a weight matrix are laid out in memory, as files hold them.
///
/// Sources: IEEE 754; llama.cpp, `ggml-common.h` (q*); bitsandbytes (nf4, int8).
public enum WeightFormat: String, CaseIterable, Hashable, Sendable {
    case f32, f16, bf16
    /// Runs of 32 (q8_0, q4_0) or 256 (q4_k, q5_k, q6_k) weights with their scales inside.
    case q8_0, q4_0, q4_k, q5_k, q6_k
    /// 16 quantiles of the normal distribution, high nibble first; a float32 scale for each 64 weights lies apart.
    case nf4
    /// A byte each; a float32 scale for each row lies apart: weight = q · scale · (1 / 127).
    case int8

    /// Weights in a block: columns come in multiples of it. 2 for nf4, whose scales cover 64.
    public var blockSize: Int {
        switch self {
        case .f32, .f16, .bf16, .int8: 1
        case .nf4: 2
        case .q8_0, .q4_0: 32
        case .q4_k, .q5_k, .q6_k: 256
        }
    }

    /// Bytes of a block.
    public var bytesPerBlock: Int {
        switch self {
        case .f32: 4
        case .f16, .bf16: 2
        case .int8, .nf4: 1
        case .q8_0: 34
        case .q4_0: 18
        case .q4_k: 144
        case .q5_k: 176
        case .q6_k: 210
        }
    }

    /// Bits that a weight takes, scales that lie inside included.
    public var bitsPerWeight: Double { 8 * Double(bytesPerBlock) / Double(blockSize) }

    /// Whether scales lie apart, in `WeightMatrix.scales`.
    public var hasSeparateScales: Bool { self == .nf4 || self == .int8 }

    /// Bytes of `count` weights; `nil` if the count is not a multiple of the block size or is too large.
    public func byteCount(_ weights: Int) -> Int? {
        guard weights >= 0, weights % blockSize == 0 else { return nil }
        let (bytes, overflow) = (weights / blockSize).multipliedReportingOverflow(by: bytesPerBlock)
        return overflow ? nil : bytes
    }

    /// Scales of a matrix that lie apart from its bytes; 0 for formats that have none.
    public func scaleCount(rows: Int, columns: Int) -> Int {
        switch self {
        case .nf4: (rows * columns + 63) / 64
        case .int8: rows
        default: 0
        }
    }

    /// The layout of blocks with scales inside; nil for the formats whose weights are multiplied as they are.
    public var quantization: Quantization? {
        switch self {
        case .q8_0: .q8_0
        case .q4_0: .q4_0
        case .q4_k: .q4_k
        case .q5_k: .q5_k
        case .q6_k: .q6_k
        case .f32, .f16, .bf16, .nf4, .int8: nil
        }
    }

    var floats: orrery_float_format {
        switch self {
        case .f16: ORRERY_FLOAT_F16
        case .bf16: ORRERY_FLOAT_BF16
        case .nf4: ORRERY_FLOAT_NF4
        case .int8: ORRERY_FLOAT_INT8
        default: ORRERY_FLOAT_F32
        }
    }
}
