/// A hash table from features to rows: open addressing, at most half full.
struct HashedFeatureTable: Sendable {
    private var keys: [UInt32]
    private var rows: [UInt32]

    private static var none: UInt32 { .max }

    /// - Parameter features: The feature of each row, below 2²⁴.
    init(_ features: [UInt32]) {
        var size = 16
        while size < 2 * features.count { size *= 2 }
        keys = [UInt32](repeating: Self.none, count: size)
        rows = [UInt32](repeating: 0, count: size)
        for (row, feature) in features.enumerated() {
            let place = place(of: feature)
            keys[place] = feature
            rows[place] = UInt32(row)
        }
    }

    func row(of feature: UInt32) -> UInt32? {
        let place = place(of: feature)
        return keys[place] == feature ? rows[place] : nil
    }

    private func place(of feature: UInt32) -> Int {
        let mask = keys.count - 1
        var place = Int((feature &* 0x9E37_79B9) &>> 8) & mask
        while keys[place] != feature, keys[place] != Self.none { place = (place + 1) & mask }
        return place
    }
}
