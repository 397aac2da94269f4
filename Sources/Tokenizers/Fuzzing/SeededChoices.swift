import Hashing

/// Choices that the same seed makes again.
///
/// - Source: SplitMix64; Steele, Lea, Flood, OOPSLA 2014.
package struct SeededChoices: Sendable {
    private var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(state: seed &* SplitMix64.gamma &+ 0x1234_5678_9ABC_DEF1) }

    package mutating func next() -> UInt64 {
        generator.next()
    }

    /// Returns a number below the bound; 0 if the bound is not positive.
    package mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }
}
