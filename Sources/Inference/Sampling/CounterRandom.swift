/// Random numbers by position instead of by sequence: (seed, position, stream) determines a number,
/// independent of all other draws.
///
/// So the same seed gives the same tokens alone and in a batch, and a branch that goes on from a token unchanged
/// repeats what came after it.
///
/// - Source: Philox4x32-10, Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011.
public struct CounterRandom: Hashable, Sendable {
    public var seed: UInt64
    /// Number of the generation, if a prompt has several.
    public var stream: UInt64

    public init(seed: UInt64, stream: UInt64 = 0) {
        self.seed = seed
        self.stream = stream
    }

    /// Returns a uniform number in 0 ..< 1, in steps of 2⁻⁵³.
    public func uniform(at position: Int) -> Double {
        let position = UInt64(bitPattern: Int64(position))
        let block = Self.philox(
            halves(position), halves(stream), key: halves(seed))
        return Double((UInt64(block.0) << 32 | UInt64(block.1)) >> 11) * 0x1p-53
    }

    private func halves(_ number: UInt64) -> (UInt32, UInt32) {
        (UInt32(truncatingIfNeeded: number), UInt32(number >> 32))
    }

    /// Returns ten Philox rounds over the counter (low.0, low.1, high.0, high.1).
    package static func philox(
        _ low: (UInt32, UInt32), _ high: (UInt32, UInt32), key: (UInt32, UInt32)
    ) -> (UInt32, UInt32, UInt32, UInt32) {
        var (a, b, c, d) = (low.0, low.1, high.0, high.1)
        var key = key
        for _ in 0..<10 {
            let first = UInt64(a) * 0xD251_1F53
            let second = UInt64(c) * 0xCD9E_8D57
            (a, b, c, d) = (
                UInt32(second >> 32) ^ b ^ key.0, UInt32(truncatingIfNeeded: second),
                UInt32(first >> 32) ^ d ^ key.1, UInt32(truncatingIfNeeded: first)
            )
            key = (key.0 &+ 0x9E37_79B9, key.1 &+ 0xBB67_AE85)
        }
        return (a, b, c, d)
    }
}
