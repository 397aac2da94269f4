internal import Glibc

/// A score test for a proportion in clusters of unknown correlation.
///
/// The test is Wilson's, averaged over plausible correlations. Two values of a cluster have correlation r. A proportion
/// q is tested with z = (p - q) / sqrt(q (1 - q) d / n), where the design effect is d = 1 + (m - 1) r. Its p value is
/// the mean of the p values for all r, weighted by the likelihood of r given q. The interval contains every q that is
/// not rejected. Clusters of one value give Wilson's interval. With many hits and misses, the data determine r. With
/// few misses, they barely do, and the interval allows for correlations that the sample happens not to show.
///
/// The likelihood gives equal weight to two models: the proportions of the clusters follow a beta distribution, or each
/// value repeats its cluster's common answer with probability sqrt(r). The second model allows for a rare cluster
/// that fails entirely, which small samples often miss.
/// - Source: score test: Wilson, JASA 22 (1927). Design effect: Kish, Survey Sampling (1965), section 8.2. Mean p value
///   over a nuisance parameter: Meng, Annals of Statistics 22 (1994). Beta-binomial distribution: Skellam, Journal of
///   the Royal Statistical Society B 10 (1948). Common answers: Lunn, Davies, Biometrika 85 (1998).
package struct ClusteredShare {
    private let kinds: [ClusterShape.Kind]
    private let count: Double
    private let hits: Double
    private let meanSize: Double
    /// Number of clusters with more hits (misses) than the index; empty if clusters are large.
    private var runs: (hits: [Double], misses: [Double]) = ([], [])
    /// The part of the beta-binomial log-likelihood that does not depend on the share, by correlation.
    private var constants: [Double] = []

    /// - Parameter clusters: Cluster of each value.
    /// - Returns: `nil` if values other than 0 and 1 occur.
    package init?(_ values: [Double], clusters: [Int]) {
        guard values.count == clusters.count else { return nil }
        self.init(ClusterShape(values, ClusterSums(clusters)))
    }

    /// - Returns: `nil` if values other than 0 and 1 occur.
    init?(_ shape: ClusterShape) {
        guard !shape.kinds.isEmpty else { return nil }
        kinds = shape.kinds
        meanSize = shape.meanSize
        count = shape.kinds.reduce(0) { $0 + Double($1.size * $1.count) }
        hits = shape.kinds.reduce(0) { $0 + Double($1.hits * $1.count) }
        let largest = kinds.last?.size ?? 0
        // For small clusters, sum logarithms by index; for large ones, use the gamma function.
        if largest <= 8 * kinds.count + 64 {
            runs = (Self.exceeding(kinds) { $0.hits }, Self.exceeding(kinds) { $0.size - $0.hits })
            let sizes = Self.exceeding(kinds) { $0.size }
            constants = Self.nodes.map { Self.rising(sizes, 1 - $0.correlation, $0.correlation) }
        } else {
            constants = Self.nodes.map { node in
                kinds.reduce(0) { $0 + Double($1.count) * Self.rising($1.size, 1 - node.correlation, node.correlation) }
            }
        }
    }

    /// Returns the proportions that the test does not reject.
    ///
    /// - Complexity: O(20 × correlations × (largest cluster + kinds)).
    package func interval(level: Double = 0.95) -> Interval {
        let share = hits / count
        let alpha = 1 - level
        let z = -NormalDistribution.standard.quantile(alpha / 2)
        // The interval is shortest without correlation and longest with full correlation.
        let least = ProportionInterval.score(share, spread: z * z / count, level: level)
        let most = ProportionInterval.score(share, spread: z * z * meanSize / count, level: level)
        func edge(_ outer: Double, _ inner: Double) -> Double {
            var (outer, inner) = (outer, inner)
            for _ in 0..<20 where outer != inner {
                let middle = (outer + inner) / 2
                if p(against: middle) < alpha { outer = middle } else { inner = middle }
            }
            return (outer + inner) / 2
        }
        return Interval(
            lower: edge(most.lower, least.lower), upper: edge(most.upper, least.upper), level: level)
    }

    /// Returns the two-sided p value for a true proportion of `q`, between 0 and 1.
    package func p(against q: Double) -> Double {
        guard q > 0, q < 1 else { return hits == q * count ? 1 : 0 }
        let score = abs(hits / count - q) / (q * (1 - q) / count).squareRoot()
        func tail(_ correlation: Double) -> Double {
            2 * NormalDistribution.standard.survival(score / (1 + (meanSize - 1) * correlation).squareRoot())
        }
        // Likelihoods are relative to independent values.
        let alone = hits * log(q) + (count - hits) * log1p(-q)
        var found = [(weight: log(Self.alone), p: tail(0))]
        found.reserveCapacity(2 * Self.nodes.count + 1)
        for (place, node) in Self.nodes.enumerated() {
            let weight = log(node.weight * (1 - Self.alone) / 2) - alone
            found.append((weight + beta(q, node.correlation) - constants[place], tail(node.correlation)))
            let common = Self.largestCommon * node.correlation
            found.append((weight + likelihood(q, common: common), tail(common)))
        }
        let largest = found.reduce(-Double.infinity) { max($0, $1.weight) }
        var (weights, sum) = (0.0, 0.0)
        for one in found {
            let weight = exp(one.weight - largest)
            weights += weight
            sum += weight * one.p
        }
        return sum / weights
    }

    /// Returns the log-likelihood, without `constants`, if the clusters' proportions follow a beta distribution.
    private func beta(_ q: Double, _ r: Double) -> Double {
        let (a, b) = (q * (1 - r), (1 - q) * (1 - r))
        guard runs.hits.isEmpty, runs.misses.isEmpty else {
            return Self.rising(runs.hits, a, r) + Self.rising(runs.misses, b, r)
        }
        return kinds.reduce(0) { sum, kind in
            sum + Double(kind.count) * (Self.rising(kind.hits, a, r) + Self.rising(kind.size - kind.hits, b, r))
        }
    }

    /// Returns the log-likelihood if a value repeats its cluster's common answer with probability sqrt(r).
    private func likelihood(_ q: Double, common r: Double) -> Double {
        let repeats = r.squareRoot()
        let (low, high) = ((1 - repeats) * q, repeats + (1 - repeats) * q)
        let (lowHit, lowMiss, highHit, highMiss) = (log(low), log1p(-low), log(high), log1p(-high))
        let (wrong, right) = (log1p(-q), log(q))
        return kinds.reduce(0) { sum, kind in
            let (hits, misses) = (Double(kind.hits), Double(kind.size - kind.hits))
            let one = wrong + hits * lowHit + misses * lowMiss
            let other = right + hits * highHit + misses * highMiss
            let larger = max(one, other)
            return sum + Double(kind.count) * (larger + log1p(exp(min(one, other) - larger)))
        }
    }

    /// Prior probability of no correlation; the rest is spread evenly over all correlations.
    private static let alone = 2.0 / 3

    /// Largest correlation in the common-answer model. The beta distribution already covers unanimous clusters, and
    /// larger correlations would widen intervals without adding coverage.
    private static let largestCommon = 0.6

    /// Correlations between 0 and 1, denser near 0, each weighted by its share of the range.
    private static let nodes: [(correlation: Double, weight: Double)] = {
        let parts = 40.0
        return (0..<Int(parts)).map { place in
            let (lower, upper) = (Double(place) / parts, Double(place + 1) / parts)
            return ((lower * lower + upper * upper) / 2, upper * upper - lower * lower)
        }
    }()

    /// Returns, for each index, the number of clusters whose `number` exceeds it.
    private static func exceeding(_ kinds: [ClusterShape.Kind], _ number: (ClusterShape.Kind) -> Int) -> [Double] {
        var found = [Double](repeating: 0, count: kinds.reduce(0) { max($0, number($1)) })
        for kind in kinds {
            for place in 0..<number(kind) { found[place] += Double(kind.count) }
        }
        return found
    }

    /// Returns the sum of count × log(start + index × step) over indices.
    private static func rising(_ counts: [Double], _ start: Double, _ step: Double) -> Double {
        var sum = 0.0
        for (place, count) in counts.enumerated() { sum += count * log(start + Double(place) * step) }
        return sum
    }

    /// Returns the sum of log(start + index × step) over the indices below `count`; `step` is positive.
    private static func rising(_ count: Int, _ start: Double, _ step: Double) -> Double {
        guard count > 0 else { return 0 }
        return Double(count) * log(step) + logGamma(start / step + Double(count)) - logGamma(start / step)
    }
}
