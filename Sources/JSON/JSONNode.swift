internal import CJSON

/// One value of a parsed text: a view of two pointers.
///
/// A node is valid until the next parse of the parser that made it, and as long as the parser and the parsed bytes
/// live. Nothing is converted before it is asked for, and what does not fit is nil: `int` of a string, a member of an
/// array, so that a path through unknown data is one expression:
/// ```swift
/// node["message"]?["usage"]?["input_tokens"]?.int
/// ```
public struct JSONNode {
    /// What a value is.
    public enum Kind: Sendable {
        case null, boolean, number, string, array, object
    }

    /// The parsed text.
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// The value's entry on the tape: start, end, entries to its sibling, information; four bytes each.
    @usableFromInline let entry: UnsafeRawPointer

    @inlinable
    init(bytes: UnsafePointer<UInt8>, entry: UnsafeRawPointer) {
        self.bytes = bytes
        self.entry = entry
    }

    @inlinable var start: Int { Int(entry.load(as: UInt32.self)) }
    @inlinable var end: Int { Int(entry.load(fromByteOffset: 4, as: UInt32.self)) }
    @inlinable var info: UInt32 { entry.load(fromByteOffset: 12, as: UInt32.self) }
    /// The entry that follows this value and everything in it.
    @inlinable var following: UnsafeRawPointer {
        entry + Int(entry.load(fromByteOffset: 8, as: UInt32.self)) &* JSONNode.stride
    }
    /// Whether a string holds a backslash, or a number a fraction or an exponent.
    @inlinable var flag: Bool { info & 8 != 0 }
    /// The kind as the tape has it: 0 null, 1 false, 2 true, 3 number, 4 string, 5 array, 6 object.
    @inlinable var code: UInt32 { info & 7 }

    /// Bytes of an entry.
    @inlinable static var stride: Int { 16 }

    /// What this value is.
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

    /// Where this value stands in the parsed bytes, with its quotes or brackets.
    @inlinable public var byteRange: Range<Int> { Range(uncheckedBounds: (start, end)) }

    /// The bytes of this value in the parsed text, with its quotes or brackets.
    @inlinable public var source: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + start, count: end &- start)
    }

    /// The number of an object's members or an array's elements; 0 of anything else. O(1).
    @inlinable public var count: Int { code >= 5 ? Int(info &>> 4) : 0 }

    /// Whether this is `null`.
    @inlinable public var isNull: Bool { code == 0 }

    /// The value of `true` or `false`.
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
