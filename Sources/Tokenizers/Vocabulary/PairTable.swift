import Hashing

/// Which two tokens merge, how early, and into what: open addressing over `(left, right)`.
package final class PairTable: @unchecked Sendable {
    // Sendable: nothing is written once it has been filled by its maker.
    private struct Entry {
        var key: UInt64
        var value: UInt64
    }
    private let entries: UnsafeMutablePointer<Entry>
    private let shift: UInt64
    private let mask: Int
    private let multiplier = ByteHash.seeds.0

    /// The value of a pair that does not merge.
    package static let none = UInt64.max

    /// An empty table for `count` pairs.
    package init(count: Int) {
        var bits: UInt64 = 4
        while 1 << bits < count * 2 { bits += 1 }
        let capacity = 1 << Int(bits)
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: .max, value: .max), count: capacity)
        shift = 64 - bits
        mask = capacity - 1
    }

    deinit { entries.deallocate() }

    @inline(__always)
    private func slot(_ key: UInt64) -> Int {
        // Keys are two small numbers: the fold of a full product spreads both over the upper bits.
        Int(truncatingIfNeeded: ByteHash.folded(key ^ SplitMix64.gamma, multiplier) >> shift)
    }

    /// Says that `left` and `right` merge into `merged`, the lowest rank first. The last word on a pair counts.
    package func insert(_ left: TokenID, _ right: TokenID, rank: Int, merged: TokenID) {
        let key = Self.key(UInt32(bitPattern: left), UInt32(bitPattern: right))
        var slot = slot(key)
        while entries[slot].key != .max, entries[slot].key != key { slot = (slot &+ 1) & mask }
        entries[slot] = Entry(key: key, value: UInt64(UInt32(truncatingIfNeeded: rank)) << 32 | UInt64(UInt32(merged)))
    }

    @inline(__always)
    private static func key(_ left: UInt32, _ right: UInt32) -> UInt64 { UInt64(left) << 32 | UInt64(right) }

    /// `rank << 32 | merged`, or `none`.
    @inline(__always)
    package func value(_ left: UInt32, _ right: UInt32) -> UInt64 {
        let key = Self.key(left, right)
        var slot = slot(key)
        while true {
            let entry = entries[slot]
            if entry.key == key { return entry.value }
            if entry.key == .max { return Self.none }
            slot = (slot &+ 1) & mask
        }
    }
}
