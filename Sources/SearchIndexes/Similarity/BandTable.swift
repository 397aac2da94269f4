/// Signatures that agree in all rows of one band: from hash to the latest signature, each linked to the previous one.
struct BandTable: Sendable {
    private var keys: [UInt64]
    private var heads: [Int32]
    /// The signature before, -1 for none.
    private(set) var links: [Int32] = []
    private var used = 0

    init() {
        keys = [UInt64](repeating: 0, count: 16)
        heads = [Int32](repeating: -1, count: 16)
    }

    /// Returns the latest signature under a hash, or -1.
    func last(_ hash: UInt64) -> Int32 { heads[place(hash)] }

    /// Adds the next signature.
    mutating func append(_ hash: UInt64) {
        if 2 * (used + 1) > keys.count { grow() }
        let place = place(hash)
        if heads[place] < 0 { used += 1 }
        keys[place] = hash
        links.append(heads[place])
        heads[place] = Int32(links.count - 1)
    }

    /// Adds the next signature without a bucket, so that no lookup finds it.
    mutating func skip() { links.append(-1) }

    private func place(_ hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash &>> 20) & (keys.count - 1)
        while heads[place] >= 0, keys[place] != hash { place = (place + 1) & (keys.count - 1) }
        return place
    }

    private mutating func grow() {
        let (oldKeys, oldHeads) = (keys, heads)
        keys = [UInt64](repeating: 0, count: 2 * oldKeys.count)
        heads = [Int32](repeating: -1, count: 2 * oldKeys.count)
        for index in oldKeys.indices where oldHeads[index] >= 0 {
            let place = place(oldKeys[index])
            keys[place] = oldKeys[index]
            heads[place] = oldHeads[index]
        }
    }
}
