internal import Glibc

/// One record of a stream: bytes that should be one JSON value, and where they stand.
///
/// The bytes are valid until the reader's next `next()`. They have not been parsed.
public struct JSONRecord {
    /// What ended the record.
    public enum Ending: Sendable {
        /// What should follow it did: a line feed, a closing bracket.
        case delimited
        /// The input ended first. If the record does not parse, it was cut off rather than damaged.
        case endOfInput
        /// It is longer than the reader allows; its bytes were skipped.
        case oversized
    }

    /// Offset of the first byte in the whole input.
    public let offset: Int
    /// Number of the line on which it begins, from 1.
    public let line: Int
    /// Its bytes; none if it was oversized.
    public let bytes: UnsafeBufferPointer<UInt8>
    /// Its length, also if it was oversized.
    public let length: Int
    /// What ended it.
    public let ending: Ending
}

@available(*, unavailable, message: "A record is valid only until its reader's next one.")
extension JSONRecord: Sendable {}

/// A file could not be read.
public struct JSONReadError: Error, Equatable, Sendable {
    /// Offset in the input at which reading failed.
    public var offset: Int
    /// The system's error number.
    public var code: Int32

    /// What happened, as one sentence.
    public var sentence: String { "Reading failed at byte \(offset): \(String(cString: strerror(code)))." }
}

extension JSONReadError: CustomStringConvertible {
    public var description: String { sentence }
}
