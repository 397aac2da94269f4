internal import Formatting

/// The 64-bit FNV-1a hash, for short keys and for digests that are compared but not trusted against attackers.
///
/// Source: Fowler, Noll, Vo, Eastlake, The FNV Non-Cryptographic Hash Algorithm, IETF draft.
public struct FNV1a: Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// The hash of the bytes so far.
    @inlinable
    public var value: UInt64 { state }

    /// Hash of no bytes.
    @inlinable
    public static var offset: UInt64 { 0xCBF2_9CE4_8422_2325 }
    /// Multiplier of each step.
    @inlinable
    public static var prime: UInt64 { 0x0000_0100_0000_01B3 }

    /// Creates a hash of no bytes.
    ///
    /// - Parameter seed: Bits to combine with the start value; 0 gives the published function.
    @inlinable
    public init(seed: UInt64 = 0) { state = Self.offset ^ seed }

    /// Adds a byte.
    @inlinable
    public mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* Self.prime }

    /// Adds bytes in order.
    @inlinable
    public mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

    /// Adds the eight bytes of a number, least significant byte first.
    @inlinable
    public mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Returns the hash of bytes.
    @inlinable
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }

    /// Returns the hash of a text's UTF-8 as 16 hexadecimal digits.
    public static func hexadecimal(_ text: String) -> String { hexadecimal(hash(text.utf8)) }

    /// Returns a number as 16 hexadecimal digits.
    public static func hexadecimal(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }
}
