/// Settings of signatures and their bands: signatures with different settings cannot be compared.
public struct MinHashSettings: Hashable, Sendable {
    /// Numbers in a signature. The estimate of a similarity s has the deviation √(s (1 − s) / permutations).
    public let permutations: Int
    /// Texts that are at least so similar are near duplicates.
    public let threshold: Double
    public let shingling: Shingling
    public let banding: Banding
    public let seed: UInt64

    /// - Parameters:
    ///   - permutations: 16 to 1024, rounded up to a multiple of 16.
    ///   - missWeight: Cost of missing a pair relative to examining one without effect, in (0, 1). Examined pairs are
    ///     estimated or compared exactly afterwards, so that misses are the worse ones.
    public init(
        threshold: Double = 0.7, permutations: Int = 128, shingling: Shingling = .words(5), missWeight: Double = 0.75,
        seed: UInt64 = 1
    ) {
        self.permutations = (min(max(permutations, 16), 1_024) + 15) / 16 * 16
        self.threshold = min(max(threshold, 0), 1)
        self.shingling = shingling
        self.seed = seed
        banding = Banding(threshold: self.threshold, permutations: self.permutations, missWeight: missWeight)
    }
}
