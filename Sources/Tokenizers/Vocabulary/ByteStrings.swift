/// A list of byte strings in one block of memory: a vocabulary has a hundred thousand of them.
///
/// ```swift
/// var tokens = ByteStrings()
/// tokens.append("Ġthe")
/// tokens[0]                       // the bytes of "Ġthe"
/// ```
public struct ByteStrings: Sendable, Equatable {
    package private(set) var bytes: [UInt8] = []
    /// Where each string ends.
    private var ends: [UInt32] = []

    public init() {}

    public init(_ strings: some Sequence<String>) {
        for string in strings { append(string) }
    }

    public var count: Int { ends.count }

    /// Makes room for `count` strings of `byteCount` bytes in all.
    public mutating func reserve(count: Int, byteCount: Int) {
        ends.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Appends a string; its bytes may be anything. All strings together must stay below 4 GiB: beyond that it is cut.
    public mutating func append(_ string: UnsafeBufferPointer<UInt8>) {
        let room = Int(UInt32.max) - bytes.count
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: string.prefix(room)))
        ends.append(UInt32(bytes.count))
    }

    public mutating func append(_ string: [UInt8]) {
        string.withUnsafeBufferPointer { append($0) }
    }

    public mutating func append(_ string: String) {
        var string = string
        string.withUTF8 { append($0) }
    }

    /// Returns the range of string `index` in `bytes`.
    package func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    public subscript(index: Int) -> [UInt8] { Array(bytes[range(index)]) }

    /// String `index` as text; what is not UTF-8 in it reads as U+FFFD.
    public func text(_ index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }
}
