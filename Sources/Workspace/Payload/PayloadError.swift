/// An error in compressing or decompressing a payload.
public enum PayloadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The payload is not a complete zstd frame, or its checksum does not match; the reason usually comes from zstd.
    case damaged(String)
    /// The size recorded in the frame exceeds the limit.
    case tooLarge(bytes: UInt64, limit: Int)
    /// zstd could not compress, for example because it ran out of memory.
    case failed(String)

    /// Message without the location of the payload.
    public var reason: String {
        switch self {
        case .damaged(let reason): "a compressed payload is damaged: \(reason)"
        case .tooLarge(let bytes, let limit): "a payload of \(bytes) bytes exceeds the limit of \(limit) bytes"
        case .failed(let reason): "a payload could not be compressed: \(reason)"
        }
    }

    public var description: String { reason }
}
