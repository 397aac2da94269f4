public import JSON

/// What a set of measured values looks like.
public struct Distribution: Hashable, Sendable {
    public var count: Int
    public var mean: Double
    public var p50: Double
    public var p90: Double
    public var p95: Double
    public var p99: Double
    public var maximum: Double

    /// Creates a summary of values; `nil` if there are none.
    ///
    /// The p-th percentile is the smallest value such that p percent of all values are not above it (nearest rank): it is
    /// always one that was measured. O(n log n).
    public init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        func percentile(_ percent: Int) -> Double {
            let rank = (sorted.count * percent + 99) / 100
            return sorted[max(1, rank) - 1]
        }
        count = sorted.count
        mean = sorted.reduce(0, +) / Double(sorted.count)
        p50 = percentile(50)
        p90 = percentile(90)
        p95 = percentile(95)
        p99 = percentile(99)
        maximum = sorted[sorted.count - 1]
    }
}

extension Distribution: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("count", count)
            $0.member("mean", mean)
            $0.member("p50", p50)
            $0.member("p90", p90)
            $0.member("p95", p95)
            $0.member("p99", p99)
            $0.member("max", maximum)
        }
    }
}
