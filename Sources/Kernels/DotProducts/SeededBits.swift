import Hashing

/// Random bits from a seed: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
package struct SeededBits {
    private var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(state: seed) }

    package mutating func next() -> UInt64 {
        generator.next()
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
