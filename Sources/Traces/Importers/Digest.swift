import Hashing

/// A 64-bit digest of bytes, the same on every machine and in every release: workspaces keep it.
///
/// Not for security: the author of a trace file could make two identifiers collide, which would only merge two of the
/// author's own messages. Among a million honest identifiers, a collision has a probability of 3e-8.
///
/// The mixing step is the folded 128-bit multiplication of wyhash (Wang Yi, 2019).
package struct Digest: Hashable, Sendable {
    package private(set) var value: UInt64

    package init(seed: UInt64 = 0) { value = seed ^ SplitMix64.gamma }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    package mutating func add(_ word: UInt64) {
        value = Digest.fold(value ^ 0xa076_1d64_78bd_642f, word ^ 0xe703_7ed1_a0b4_28db)
    }

    /// Adds the bytes and their number, so that ("ab", "c") and ("a", "bc") differ.
    package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = bytes.count
        let start = UnsafeRawPointer(bytes.baseAddress)
        var offset = 0
        var state = value
        if let start {
            while offset &+ 16 <= count {
                let a = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let b = start.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
                state = Digest.fold(
                    UInt64(littleEndian: a) ^ 0xa076_1d64_78bd_642f ^ state,
                    UInt64(littleEndian: b) ^ 0xe703_7ed1_a0b4_28db)
                offset &+= 16
            }
            if offset < count {
                var a: UInt64 = 0
                var b: UInt64 = 0
                let rest = count &- offset
                for place in 0..<min(8, rest) {
                    a |= UInt64(start.load(fromByteOffset: offset &+ place, as: UInt8.self)) &<< UInt64(place &* 8)
                }
                if rest > 8 {
                    for place in 8..<rest {
                        let byte = UInt64(start.load(fromByteOffset: offset &+ place, as: UInt8.self))
                        b |= byte &<< UInt64((place &- 8) &* 8)
                    }
                }
                state = Digest.fold(a ^ 0x8ebc_6af0_9c88_c6e3 ^ state, b ^ 0x5899_65cc_7537_4cc3)
            }
        }
        value = Digest.fold(state ^ 0x1d8e_4e27_c47d_124f, UInt64(count) ^ 0xeb44_acca_b455_d165)
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    /// The digest of one piece of text; never 0, which means "none".
    package static func of(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var digest = Digest(seed: seed)
        digest.add(bytes)
        return digest.value == 0 ? 1 : digest.value
    }

    package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var text = text
        return text.withUTF8 { of($0, seed: seed) }
    }
}
