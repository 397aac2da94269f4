import Hashing

/// One kept activation of a feature: what may become an example.
struct ExampleSlot: BitwiseCopyable {
    /// Activation; 0 if the slot is empty.
    var value: Float = 0
    /// The token in the whole stream.
    var position: UInt32 = 0
    /// The random number by which it was kept.
    var key: UInt32 = 0

    @inline(__always) var isEmpty: Bool { value == 0 }

    /// Whether a draw takes this one before another.
    @inline(__always)
    func precedes(_ other: ExampleSlot) -> Bool { (key, position) < (other.key, other.position) }

    /// The number that decides whether an activation is kept: the same for the same seed, feature and position.
    @inline(__always)
    static func key(seed: UInt64, feature: Int, position: UInt32) -> UInt32 {
        var word = seed &+ UInt64(position) &* SplitMix64.gamma &+ UInt64(feature) &* 0xD1B5_4A32_D192_ED03
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: word &>> 32)
    }
}

/// How many slots a feature has and which are for what.
enum ExampleLayout {
    /// The largest activations, one a sequence.
    static let top = 20
    /// Strata below the maximum, a quarter of an octave each; the last takes all that is further down.
    static let strata = 17
    /// Uniform draws of each stratum.
    static let perStratum = 5
    static let slots = top + strata * perStratum
    /// Tokens on either side of an example.
    static let radius = 15
    static let context = 2 * radius + 1
    /// What stands in a context for a place outside the sequence.
    static let outside: Float = -1
}
