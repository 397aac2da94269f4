/// The SplitMix64 generator: a counter whose values are mixed. Its numbers depend only on its state.
///
/// Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014; constants of the mixer as in
/// Vigna's splitmix64.c.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// Increment of the counter: 2^64 divided by the golden ratio, as an odd number. Also a good multiplier for hashes.
    @inlinable
    public static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Creates a generator.
    ///
    /// - Parameter state: Start of the counter; 0 gives the published sequence for seed 0.
    @inlinable
    public init(state: UInt64) { self.state = state }

    /// Creates a generator for a stream of a seed; numbers from different streams are independent.
    @inlinable
    public init(seed: UInt64, stream: UInt64 = 0) {
        state = Self.mix(seed &+ Self.gamma &* (Self.mix(stream &+ Self.gamma) | 1))
    }

    /// Returns the next 64 random bits.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.gamma
        return Self.mix(state)
    }

    /// Returns a uniform index in 0..<count, for `count` above 0.
    ///
    /// The index is the high word of a product, which favors no index by more than count / 2^64.
    @inlinable
    public mutating func next(below count: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(count, 1))).high)
    }

    /// Returns a uniform number in [0, 1), in steps of 2^-53.
    @inlinable
    public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number whose bits all depend on all bits of `value`: the second half of the generator.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
