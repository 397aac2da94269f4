/// Sizes and hits of clusters, which the interval of a proportion needs in addition to the mean and its standard error.
struct ClusterShape: Hashable, Sendable {
    /// A cluster size and number of hits, with the number of such clusters.
    struct Kind: Hashable, Sendable {
        var size: Int
        var hits: Int
        var count: Int
    }

    /// Mean cluster size averaged over values: the sum of size² over the number of values.
    ///
    /// This is the largest design effect: values that agree fully within clusters carry as much information as `count /
    /// meanSize` independent values.
    /// - Source: Kish, Survey Sampling (1965), section 8.2.
    let meanSize: Double
    /// Clusters by size and hits, in ascending order; empty unless every value is 0 or 1.
    let kinds: [Kind]

    init(_ values: some Collection<Double>, _ sums: ClusterSums) {
        var sizes = [Int](repeating: 0, count: sums.totals.count)
        var hits = sizes
        var isBinary = true
        for (value, place) in zip(values, sums.places) {
            sizes[place] += 1
            if value == 1 { hits[place] += 1 } else if value != 0 { isBinary = false }
        }
        var squares = 0.0
        for size in sizes { squares += Double(size) * Double(size) }
        meanSize = squares / Double(max(sums.places.count, 1))
        guard isBinary else {
            kinds = []
            return
        }
        var counts: [Kind: Int] = [:]
        for (size, hits) in zip(sizes, hits) { counts[Kind(size: size, hits: hits, count: 0), default: 0] += 1 }
        kinds = counts.map { Kind(size: $0.size, hits: $0.hits, count: $1) }.sorted {
            ($0.size, $0.hits) < ($1.size, $1.hits)
        }
    }
}
