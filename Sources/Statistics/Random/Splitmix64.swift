internal import Glibc

/// A random number generator whose output depends only on its seed and stream: a mixed counter.
///
/// Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014; constants of the mixer as
/// in Vigna's splitmix64.
public struct Splitmix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter stream: Stream of the seed; numbers from different streams are independent.
    public init(seed: UInt64, stream: UInt64 = 0) {
        state = Self.mix(seed &+ Self.step &* (Self.mix(stream &+ Self.step) | 1))
    }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// Returns a uniform index in 0..<count, for `count` above 0.
    ///
    /// The index is the high word of a product, which favors no index by more than count / 2^64.
    public mutating func next(below count: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(count, 1))).high)
    }

    /// Returns a uniform number in [0, 1), in steps of 2^-53.
    public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number from the standard normal distribution (Box and Muller, 1958; one of the pair).
    public mutating func nextNormal() -> Double {
        let radius = (-2 * log(1 - nextUnit())).squareRoot()
        return radius * cos(2 * Double.pi * nextUnit())
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
