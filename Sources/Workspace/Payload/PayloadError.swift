/// Why a compressed payload could not be made or read.
public enum PayloadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are no whole frame, or their checksum differs; the reason is zstd's own.
    case damaged(String)
    /// The frame says that it holds more than the reader is willing to take.
    case tooLarge(bytes: UInt64, limit: Int)
    /// zstd could not compress, for want of memory.
    case failed(String)

    /// What is wrong, without a place.
    public var reason: String {
        switch self {
        case .damaged(let reason): "a compressed payload is damaged: \(reason)"
        case .tooLarge(let bytes, let limit): "a payload says that it holds \(bytes) bytes, more than \(limit)"
        case .failed(let reason): "a payload could not be compressed: \(reason)"
        }
    }

    public var description: String { reason }
}
