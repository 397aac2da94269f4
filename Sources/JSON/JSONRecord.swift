internal import Glibc

/// A record in a stream: the bytes of a JSON value, with their position.
///
/// The bytes are valid until the next call to the reader's `next()`. They are not parsed yet and can be invalid.
public struct JSONRecord {
    /// Ways in which a record can end.
    public enum Ending: Sendable {
        /// The record ended as expected, for example before a line feed or a closing bracket.
        case delimited
        /// The input ended before the record did. If the record does not parse, it is truncated rather than damaged.
        case endOfInput
        /// The record is longer than the reader allows, and its bytes were skipped.
        case oversized
    }

    /// Offset of the first byte in the complete input.
    public let offset: Int
    /// Number of the first line, starting at 1.
    public let line: Int
    /// Bytes of the record; empty if it is oversized.
    public let bytes: UnsafeBufferPointer<UInt8>
    /// Length of the record in bytes, even if it is oversized.
    public let length: Int
    /// Way in which the record ended.
    public let ending: Ending
}

@available(*, unavailable, message: "A record is valid only until its reader returns the next one.")
extension JSONRecord: Sendable {}

/// An error for a file that could not be read.
public struct JSONReadError: Error, Equatable, Sendable {
    /// Offset in the input at which reading failed.
    public var offset: Int
    /// Error number of the system (`errno`).
    public var code: Int32

    /// Message for the user.
    public var sentence: String { "Reading failed at byte \(offset): \(String(cString: strerror(code)))." }
}

extension JSONReadError: CustomStringConvertible {
    public var description: String { sentence }
}
