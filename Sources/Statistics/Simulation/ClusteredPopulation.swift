import Hashing

/// A simulated evaluation with normal scores in clusters: 50 clusters of 4 to 40 samples, 1,100 in total.
struct ClusteredPopulation {
    /// Share of the variance that the samples of a cluster have in common (intraclass correlation).
    var correlation: Double
    let clusters: [Int]

    init(clusters count: Int = 50, correlation: Double) {
        self.correlation = correlation
        clusters = (0..<count).flatMap { cluster in
            [Int](repeating: cluster, count: 4 + (cluster * 37 + 11) % 37)
        }
    }

    /// Returns scores with mean `mean` and variance 1.
    func draw(mean: Double, _ random: inout SplitMix64) -> [Double] {
        let (common, own) = (correlation.squareRoot(), (1 - correlation).squareRoot())
        var values: [Double] = []
        values.reserveCapacity(clusters.count)
        var part = 0.0
        for (place, cluster) in clusters.enumerated() {
            if place == 0 || clusters[place - 1] != cluster { part = common * random.nextNormal() }
            values.append(mean + part + own * random.nextNormal())
        }
        return values
    }

    /// True standard error of the mean: sqrt(sum over clusters (rho n² + (1 - rho) n)) / N.
    var standardError: Double {
        var sizes: [Int: Double] = [:]
        for cluster in clusters { sizes[cluster, default: 0] += 1 }
        let variance = sizes.values.reduce(0) { $0 + correlation * $1 * $1 + (1 - correlation) * $1 }
        return variance.squareRoot() / Double(clusters.count)
    }
}
