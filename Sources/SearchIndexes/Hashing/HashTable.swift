/// The slots of each bucket of one table: those that were there when it was built, in order of their buckets.
struct HashTable {
    /// The key of each slot, newer ones included.
    private(set) var keys: [UInt32] = []
    private var starts: [UInt32] = []
    private var members: [UInt32] = []
    private var shift: UInt32 = 32

    /// Slots beyond those are looked through one by one.
    var builtCount: Int { members.count }

    mutating func append(_ key: UInt32) { keys.append(key) }

    /// Puts all slots into buckets, about two in each.
    mutating func build() {
        let bits = max(1, min(26, Int.bitWidth - (keys.count / 2).leadingZeroBitCount))
        shift = UInt32(32 - bits)
        starts = [UInt32](repeating: 0, count: 1 << bits + 1)
        for key in keys { starts[bucket(key) + 1] += 1 }
        for place in 1..<starts.count { starts[place] += starts[place - 1] }
        var ends = starts
        members = [UInt32](repeating: 0, count: keys.count)
        for (slot, key) in keys.enumerated() {
            let place = bucket(key)
            members[Int(ends[place])] = UInt32(slot)
            ends[place] += 1
        }
    }

    private func bucket(_ key: UInt32) -> Int {
        // Keys of planes differ in their low bits alone.
        Int(((key ^ key >> 15) &* 0x9E37_79B1) >> shift)
    }

    func forEach(of key: UInt32, _ body: (UInt32) -> Void) {
        if !members.isEmpty {
            let place = bucket(key)
            for member in Int(starts[place])..<Int(starts[place + 1]) where keys[Int(members[member])] == key {
                body(members[member])
            }
        }
        for slot in members.count..<keys.count where keys[slot] == key { body(UInt32(slot)) }
    }
}
