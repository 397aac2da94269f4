/// Short pieces seen lately and their tokens: direct-mapped, two cache lines for four entries.
///
/// Language is so repetitive that most pieces are found here with one comparison of sixteen bytes, and their tokens
/// are written with one store.
package struct PieceCache {
    /// Pieces of up to 15 bytes, padded with zeros, the length in the last byte; up to four tokens, then -1.
    package struct Entry {
        var low: UInt64
        var high: UInt64
        var ids: SIMD4<TokenID>
    }

    private static let bits: UInt64 = 14
    private let entries: UnsafeMutablePointer<Entry>
    private let seeds = ByteHash.seeds
    package static let longest = 15

    init() {
        let count = 1 << Int(Self.bits)
        entries = .allocate(capacity: count)
        // No key: the length of a real one is at most 15.
        entries.initialize(repeating: Entry(low: 0, high: .max, ids: SIMD4(repeating: -1)), count: count)
    }

    func deallocate() { entries.deallocate() }

    /// The first `length` bytes, at most 15, as two words. `readable` bytes may be touched.
    @inline(__always)
    package static func key(_ bytes: UnsafePointer<UInt8>, length: Int, readable: Int) -> (low: UInt64, high: UInt64) {
        var low: UInt64
        var high: UInt64
        if readable >= 16 {
            let raw = UnsafeRawPointer(bytes)
            low = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
            high = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        } else {
            low = 0
            high = 0
            for index in 0..<min(length, 8) { low |= UInt64(bytes[index]) &<< UInt64(index &* 8) }
            if length > 8 { for index in 8..<length { high |= UInt64(bytes[index]) &<< UInt64((index &- 8) &* 8) } }
        }
        if length < 8 {
            low &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
            high = 0
        } else {
            high &= (1 &<< UInt64(truncatingIfNeeded: (length &- 8) &* 8)) &- 1
        }
        return (low, high | UInt64(truncatingIfNeeded: length) &<< 56)
    }

    @inline(__always)
    package func entry(_ key: (low: UInt64, high: UInt64)) -> UnsafeMutablePointer<Entry> {
        let hash = ByteHash.folded(key.low ^ seeds.0, key.high ^ seeds.1)
        return entries + Int(truncatingIfNeeded: hash >> (64 - Self.bits))
    }
}
