internal import Glibc

/// The binomial distribution: the number of hits in `count` independent trials.
public struct BinomialDistribution: Hashable, Sendable {
    /// Number of trials.
    public var count: Int
    /// Probability of a hit, in [0, 1].
    public var probability: Double

    /// Creates a distribution; a negative count becomes 0.
    public init(count: Int, probability: Double) {
        self.count = max(count, 0)
        self.probability = probability
    }

    /// Returns the probability of exactly `hits` hits.
    public func mass(_ hits: Int) -> Double {
        guard hits >= 0, hits <= count else { return 0 }
        if probability <= 0 { return hits == 0 ? 1 : 0 }
        if probability >= 1 { return hits == count ? 1 : 0 }
        let (n, k) = (Double(count), Double(hits))
        return exp(
            logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * log(probability)
                + (n - k) * log1p(-probability))
    }

    /// Returns the probability of at most `hits` hits: I_{1-p}(n - k, k + 1), DLMF 8.17.5.
    public func cumulative(_ hits: Int) -> Double {
        if hits < 0 { return 0 }
        if hits >= count { return 1 }
        return incompleteBeta(1 - probability, complement: probability, Double(count - hits), Double(hits) + 1)
    }

    /// Returns the probability of more than `hits` hits.
    public func survival(_ hits: Int) -> Double {
        if hits < 0 { return 1 }
        if hits >= count { return 0 }
        return incompleteBeta(probability, complement: 1 - probability, Double(hits) + 1, Double(count - hits))
    }
}
