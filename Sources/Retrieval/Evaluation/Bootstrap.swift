internal import Tensors

/// Two bounds between which a mean lies.
public struct ConfidenceInterval: Hashable, Sendable {
    public var lower: Double
    public var upper: Double
    /// Confidence level of the interval, such as 0.95.
    public var level: Double

    public init(lower: Double, upper: Double, level: Double) {
        self.lower = lower
        self.upper = upper
        self.level = level
    }

    public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

/// Bootstrap intervals of a mean: queries are resampled with replacement, and the mean of each resample is recorded.
///
/// The interval is bounded by percentiles of those means. The resamples depend only on the seed.
///
/// Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13; for retrieval: Sakai, SIGIR 2006.
public struct Bootstrap: Hashable, Sendable {
    public var draws: Int
    public var level: Double
    public var seed: UInt64

    /// - Parameters:
    ///   - draws: At least 1, at most a million.
    ///   - level: In (0, 1).
    public init(draws: Int = 10_000, level: Double = 0.95, seed: UInt64 = 1) {
        self.draws = min(max(draws, 1), 1_000_000)
        self.level = min(max(level, 0.000_001), 0.999_999)
        self.seed = seed
    }

    /// Returns the interval of the mean of values, one a query; `nil` for none. O(draws × values).
    public func interval(of values: [Double]) -> ConfidenceInterval? {
        guard !values.isEmpty else { return nil }
        var means = [Double](repeating: 0, count: draws)
        var random = PhiloxGenerator(seed: seed, stream: Self.stream)
        let count = UInt64(values.count)
        values.withUnsafeBufferPointer { values in
            for draw in means.indices {
                var sum = 0.0
                // A word of 32 bits times the count: no query is favored by more than count / 2³².
                for _ in 0..<values.count {
                    sum += values[Int(truncatingIfNeeded: (UInt64(random.nextWord()) &* count) &>> 32)]
                }
                means[draw] = sum / Double(values.count)
            }
        }
        means.sort()
        let tail = (1 - level) / 2
        return ConfidenceInterval(
            lower: Self.quantile(means, tail), upper: Self.quantile(means, 1 - tail), level: level)
    }

    /// Returns the p value of differences this large if neither system is better, by random sign flips.
    ///
    /// - Returns: (1 + draws whose mean is at least as far from 0) / (1 + draws), so never 0.
    /// - Source: Smucker, Allan, Carterette, CIKM 2007, the randomization test.
    public func randomizationTest(of differences: [Double]) -> Double {
        let observed = abs(differences.reduce(0, +))
        var random = PhiloxGenerator(seed: seed, stream: Self.stream + 1)
        var extreme = 0
        // Sums of the same numbers in another order differ in their last bits; ignore such differences.
        let slack = 1e-12 * max(1, differences.reduce(0) { $0 + abs($1) })
        for _ in 0..<draws {
            var sum = 0.0
            var bits: UInt32 = 0
            for (index, difference) in differences.enumerated() {
                if index & 31 == 0 { bits = random.nextWord() }
                sum += bits & 1 == 1 ? difference : -difference
                bits >>= 1
            }
            if abs(sum) >= observed - slack { extreme += 1 }
        }
        return Double(1 + extreme) / Double(1 + draws)
    }

    /// Linear between the two nearest, as NumPy's default.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let low = min(max(Int(place), 0), sorted.count - 1)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
    }

    private static let stream: UInt32 = 0x4576_616C
}
