/// Random bits from a seed: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
package struct SeededBits {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }

    /// Uniform in -1 ..< 1, in steps of 2⁻²³.
    package mutating func signedUnit() -> Float {
        Float(Int32(truncatingIfNeeded: next() >> 40) - (1 << 23)) * 0x1p-23
    }

    /// Some of `0..<count`, the first and the last among them, in order: what is compared of large outputs.
    package mutating func sample(of count: Int, atMost limit: Int) -> [Int] {
        guard count > limit else { return Array(0..<count) }
        var chosen: Set<Int> = [0, count - 1]
        while chosen.count < limit { chosen.insert(Int(next() % UInt64(count))) }
        return chosen.sorted()
    }
}
