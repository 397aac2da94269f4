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
    /// 256 weights in 176 bytes: as q4_k, with a fifth bit of each weight in 32 bytes more.
    case q5_k
    /// 256 weights in 210 bytes: six bits each, sixteen int8 scales S, float16 d. Weight = d·S·(q - 32).
    case q6_k

    /// Weights in a block: columns come in multiples of it.
    public var blockSize: Int { orrery_row_block_size(format) }

    public var bytesPerBlock: Int { orrery_row_block_bytes(format) }

    /// Bytes of `count` weights; `nil` if the count is not a multiple of the block size or is too large.
    public func byteCount(_ weights: Int) -> Int? {
        guard weights >= 0, weights % blockSize == 0 else { return nil }
        let (bytes, overflow) = (weights / blockSize).multipliedReportingOverflow(by: bytesPerBlock)
        return overflow ? nil : bytes
    }

    /// Encodes one row as llama.cpp's reference does, the q*_k by its searches without importances.
    ///
    /// - Parameter weights: `count` of them, a multiple of `blockSize`.
    /// - Parameter bytes: room for `byteCount(count)`.
    public func encode(_ weights: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
        precondition(count % blockSize == 0, "the length of a \(rawValue) row must be a multiple of \(blockSize)")
        orrery_encode_row(format, weights, count, bytes)
    }

    /// Decodes one row of `count` weights, a multiple of `blockSize`.
    public func decode(_ bytes: UnsafePointer<UInt8>, count: Int, into weights: UnsafeMutablePointer<Float>) {
        precondition(count % blockSize == 0, "the length of a \(rawValue) row must be a multiple of \(blockSize)")
        orrery_decode_row(format, bytes, count, weights)
    }

    var format: orrery_row_format {
        switch self {
        case .q8_0: ORRERY_Q8_0
        case .q4_0: ORRERY_Q4_0
        case .q4_k: ORRERY_Q4_K
        case .q5_k: ORRERY_Q5_K
        case .q6_k: ORRERY_Q6_K
        }
    }
}
