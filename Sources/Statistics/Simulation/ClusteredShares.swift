import Hashing

/// A simulated evaluation with pass/fail samples: the pass rates of the clusters follow a beta distribution.
struct ClusteredShares {
    let clusters: [Int]
    /// Pass rate over all possible clusters.
    let truth: Double
    /// Pass rates at evenly spaced quantiles. Picking one is faster than sampling from the distribution.
    private let shares: [Double]

    /// - Parameters:
    ///   - share: Mean pass rate.
    ///   - correlation: Correlation of two samples in a cluster, in (0, 1).
    ///   - sizes: Cluster sizes, spread evenly over the range.
    init(share: Double, correlation: Double, clusters count: Int, sizes: ClosedRange<Int>) {
        let strength = (1 - correlation) / correlation
        let beta = BetaDistribution(share * strength, (1 - share) * strength)
        let steps = 2_048
        shares = (0..<steps).map { beta.quantile((Double($0) + 0.5) / Double(steps)) }
        truth = shares.reduce(0, +) / Double(steps)
        clusters = (0..<count).flatMap { cluster in
            [Int](repeating: cluster, count: sizes.lowerBound + (cluster * 37 + 11) % sizes.count)
        }
    }

    /// Returns 1 for a pass and 0 for a failure.
    func draw(_ random: inout SplitMix64) -> [Double] {
        var share = 0.0
        return clusters.indices.map { place in
            if place == 0 || clusters[place - 1] != clusters[place] { share = shares[random.next(below: shares.count)] }
            return random.nextUnit() < share ? 1 : 0
        }
    }
}
