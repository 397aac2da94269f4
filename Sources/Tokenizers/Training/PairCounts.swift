import Hashing

/// Pairs of neighbouring symbols with their counts, found by open addressing.
struct PairCounts {
    /// Two symbols, the left one in the upper half, so that keys order as pairs do.
    typealias Key = UInt64

    private(set) var keys: [Key] = []
    /// How often each pair stands in the text.
    var counts: [Int] = []
    private var slots = [Int32](repeating: -1, count: 1 << 14)

    static func key(_ left: Int32, _ right: Int32) -> Key {
        UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
    }

    /// The index of a pair, which is added where it is new.
    mutating func index(of key: Key) -> Int {
        var slot = Self.slot(key) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if keys[index] == key { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        let index = keys.count
        slots[slot] = Int32(index)
        keys.append(key)
        counts.append(0)
        if keys.count * 2 > slots.count { grow() }
        return index
    }

    private static func slot(_ key: Key) -> Int {
        let hash = key &* SplitMix64.gamma
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (index, key) in keys.enumerated() {
            var slot = Self.slot(key) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}
