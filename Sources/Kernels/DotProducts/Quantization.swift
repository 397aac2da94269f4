internal import CKernels

/// A layout of weights in blocks of few bits with a scale each, as GGUF files hold them.
///
/// Source: llama.cpp, `ggml-common.h`.
public enum Quantization: String, CaseIterable, Hashable, Sendable {
    /// 32 weights in 34 bytes: float16 d, int8 q[32]. Weight = d·q.
    case q8_0
    /// 32 weights in 18 bytes: float16 d, 32 nibbles. Weight = d·(q - 8).
    case q4_0
    /// 256 weights in 144 bytes: float16 d and dmin, eight 6-bit pairs (S, M), 256 nibbles. Weight = d·S·q - dmin·M.
    case q4_k

    /// Weights in a block: columns come in multiples of it.
    public var blockSize: Int { orrery_row_block_size(format) }

    public var bytesPerBlock: Int { orrery_row_block_bytes(format) }

    /// Bytes of so many weights, a multiple of the block's; nil where the number is not, or is absurd.
    public func byteCount(_ weights: Int) -> Int? {
        guard weights >= 0, weights % blockSize == 0 else { return nil }
        let (bytes, overflow) = (weights / blockSize).multipliedReportingOverflow(by: bytesPerBlock)
        return overflow ? nil : bytes
    }

    /// Encodes one row: q8_0 and q4_0 as llama.cpp's reference does; q4_k by its search without importances.
    ///
    /// - Parameter weights: `count` of them, a multiple of `blockSize`.
    /// - Parameter bytes: room for `byteCount(count)`.
    public func encode(_ weights: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
        precondition(count % blockSize == 0, "a row of \(rawValue) is a multiple of \(blockSize) weights")
        orrery_encode_row(format, weights, count, bytes)
    }

    /// Decodes one row of `count` weights, a multiple of `blockSize`.
    public func decode(_ bytes: UnsafePointer<UInt8>, count: Int, into weights: UnsafeMutablePointer<Float>) {
        precondition(count % blockSize == 0, "a row of \(rawValue) is a multiple of \(blockSize) weights")
        orrery_decode_row(format, bytes, count, weights)
    }

    var format: orrery_row_format {
        switch self {
        case .q8_0: ORRERY_Q8_0
        case .q4_0: ORRERY_Q4_0
        case .q4_k: ORRERY_Q4_K
        }
    }
}
