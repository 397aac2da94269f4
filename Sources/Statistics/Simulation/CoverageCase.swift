package import Hashing

/// A simulated evaluation with a known pass rate: the number of samples, their clusters, and their correlation.
package struct CoverageCase: Hashable, Sendable {
    /// Patterns of cluster sizes.
    package enum Shape: Hashable, Sendable {
        /// One sample per cluster.
        case alone
        /// One pair per 60 samples; all others are single.
        case nearlyAlone
        /// Clusters of this size.
        case each(Int)
        /// Mixed sizes from 1 to 20.
        case mixed
    }

    /// Sources of the correlation within a cluster.
    package enum Model: String, Hashable, Sendable {
        /// A cluster's pass rate follows a beta distribution.
        case beta
        /// A sample repeats its cluster's common answer with probability sqrt(correlation).
        case common
    }

    /// True pass rate.
    package var share: Double
    package var count: Int
    package var shape: Shape
    /// Correlation between two samples in the same cluster.
    package var correlation: Double
    package var model: Model
    /// The cluster of each sample.
    package let clusters: [Int]

    package init(share: Double, count: Int, shape: Shape, correlation: Double, model: Model) {
        self.share = share
        self.count = count
        self.shape = shape
        self.correlation = correlation
        self.model = model
        var clusters: [Int] = []
        clusters.reserveCapacity(count)
        var cluster = 0
        while clusters.count < count {
            let size =
                switch shape {
                case .alone: 1
                case .nearlyAlone: cluster < max(1, count / 60) ? 2 : 1
                case .each(let size): size
                case .mixed: 1 + (cluster * 37 + 11) % 20
                }
            for _ in 0..<min(size, count - clusters.count) { clusters.append(cluster) }
            cluster += 1
        }
        self.clusters = clusters
    }

    package var clusterCount: Int { (clusters.last ?? -1) + 1 }

    /// Variance of the number of passes, n p (1 - p); below 2, almost no samples fail.
    package var variance: Double { Double(count) * share * (1 - share) }

    /// Mean cluster size averaged over samples: the sum of size² divided by the number of samples.
    package var meanSize: Double {
        var sizes = [Double](repeating: 0, count: clusterCount)
        for cluster in clusters { sizes[cluster] += 1 }
        return sizes.reduce(0) { $0 + $1 * $1 } / Double(max(count, 1))
    }

    /// Name in reports: `alone`, `nearly alone`, `each of 5`, `1 to 20`.
    package var shapeName: String {
        switch shape {
        case .alone: "alone"
        case .nearlyAlone: "nearly alone"
        case .each(let size): "each of \(size)"
        case .mixed: "1 to 20"
        }
    }

    /// Returns samples drawn with this true pass rate: 1 for a pass, 0 for a failure.
    package func draw(share: Double, _ random: inout SplitMix64) -> [Double] {
        var (common, hits, seen) = (false, 0.0, 0.0)
        let repeats = model == .common ? correlation.squareRoot() : 0
        return clusters.indices.map { place in
            if place == 0 || clusters[place - 1] != clusters[place] {
                (hits, seen) = (0, 0)
                common = model == .common && random.nextUnit() < share
            }
            if model == .common {
                let passes = random.nextUnit() < repeats ? common : random.nextUnit() < share
                return passes ? 1 : 0
            }
            // Pólya's urn: draws that follow the beta-binomial distribution.
            let chance = (share * (1 - correlation) + hits * correlation) / (1 - correlation + seen * correlation)
            let passes = random.nextUnit() < chance
            if passes { hits += 1 }
            seen += 1
            return passes ? 1 : 0
        }
    }
}
