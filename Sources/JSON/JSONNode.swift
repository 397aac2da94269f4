internal import CJSON

/// A value in a parsed JSON text: a view that consists of two pointers.
///
/// A node is valid until the next parse of its parser, and only while the parser and the parsed bytes exist. Values are
/// converted only on request. A request that does not fit the value returns `nil`, such as `int` of a string or a
/// member of an array, so a path through unknown data is a single expression:
/// ```swift
/// node["message"]?["usage"]?["input_tokens"]?.int
/// ```
public struct JSONNode {
    /// Kinds of JSON values.
    public enum Kind: Sendable {
        /// The value `null`.
        case null
        /// The value `true` or `false`.
        case boolean
        /// A number.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    /// Parsed text.
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// Entry of the value on the tape: start, end, number of entries to its sibling, and info, with four bytes each.
    @usableFromInline let entry: UnsafeRawPointer

    @inlinable
    init(bytes: UnsafePointer<UInt8>, entry: UnsafeRawPointer) {
        self.bytes = bytes
        self.entry = entry
    }

    @inlinable var start: Int { Int(entry.load(as: UInt32.self)) }
    @inlinable var end: Int { Int(entry.load(fromByteOffset: 4, as: UInt32.self)) }
    @inlinable var info: UInt32 { entry.load(fromByteOffset: 12, as: UInt32.self) }
    /// Entry after this value and its contents.
    @inlinable var following: UnsafeRawPointer {
        entry + Int(entry.load(fromByteOffset: 8, as: UInt32.self)) &* JSONNode.stride
    }
    /// Whether a string contains a backslash, or a number has a fraction or an exponent.
    @inlinable var flag: Bool { info & 8 != 0 }
    /// Kind on the tape: 0 null, 1 false, 2 true, 3 number, 4 string, 5 array, 6 object.
    @inlinable var code: UInt32 { info & 7 }

    /// Size of an entry in bytes.
    @inlinable static var stride: Int { 16 }

    /// Kind of the value.
    @inlinable public var kind: Kind {
        switch code {
        case 0: .null
        case 1, 2: .boolean
        case 3: .number
        case 4: .string
        case 5: .array
        default: .object
        }
    }

    /// Range of the value in the parsed bytes, including quotes or brackets.
    @inlinable public var byteRange: Range<Int> { Range(uncheckedBounds: (start, end)) }

    /// Bytes of the value in the parsed text, including quotes or brackets.
    @inlinable public var source: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + start, count: end &- start)
    }

    /// Number of an object's members or an array's elements, in constant time; 0 for other values.
    @inlinable public var count: Int { code >= 5 ? Int(info &>> 4) : 0 }

    /// Whether the value is `null`.
    @inlinable public var isNull: Bool { code == 0 }

    /// Value of `true` or `false`; `nil` for other values.
    @inlinable public var bool: Bool? {
        switch code {
        case 1: false
        case 2: true
        default: nil
        }
    }
}

@available(*, unavailable, message: "A node is valid only until its parser's next parse.")
extension JSONNode: Sendable {}
