/// A map from 64-bit digests to numbers: open addressing, linear probing, the digest being its own hash.
///
/// Finding costs one cache line mostly; a dictionary that hashes again costs several times that, and an importer looks
/// up two or three keys a record.
package struct KeyTable: Sendable {
    private struct Slot {
        var key: UInt64 = 0
        var value: Int64 = 0
    }

    private var slots: [Slot] = []
    package private(set) var count = 0

    package init() {}

    /// The number of a key; `nil` if it is not there. Keys are not 0. O(1).
    package subscript(key: UInt64) -> Int? {
        slots.withUnsafeBufferPointer { slots in
            guard !slots.isEmpty else { return nil }
            let mask = slots.count &- 1
            var place = Int(truncatingIfNeeded: key) & mask
            while true {
                let slot = slots[place]
                if slot.key == key { return Int(slot.value) }
                if slot.key == 0 { return nil }
                place = (place &+ 1) & mask
            }
        }
    }

    /// Keeps the number of a key, in place of the one it had.
    package mutating func set(_ key: UInt64, _ value: Int) {
        if (count &+ 1) &* 4 > slots.count &* 3 { grow() }
        let isNew = slots.withUnsafeMutableBufferPointer { slots in
            let mask = slots.count &- 1
            var place = Int(truncatingIfNeeded: key) & mask
            while slots[place].key != 0, slots[place].key != key { place = (place &+ 1) & mask }
            let isNew = slots[place].key == 0
            slots[place] = Slot(key: key, value: Int64(value))
            return isNew
        }
        if isNew { count &+= 1 }
    }

    /// Keeps the number of a key if the key is new, and says whether it was.
    package mutating func insert(_ key: UInt64, _ value: Int) -> Bool {
        if self[key] != nil { return false }
        set(key, value)
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(16, old.count &* 2))
        count = 0
        for slot in old where slot.key != 0 { set(slot.key, Int(slot.value)) }
    }
}

/// Texts that come again and again (names of tools, models, kinds of progress), each made only once.
package struct NameCache: Sendable {
    private var places = KeyTable()
    private var names: [String] = []

    package init() {}

    /// The text of these bytes of UTF-8, from the cache if it was there. Texts beyond 4,096 are not kept.
    package mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let key = Digest.of(bytes)
        if let place = places[key] { return names[place] }
        let name = String(decoding: bytes, as: UTF8.self)
        if names.count < 4096 {
            places.set(key, names.count)
            names.append(name)
        }
        return name
    }
}
