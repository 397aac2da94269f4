/// McNemar's test of whether samples change from fail to pass as often as from pass to fail.
///
/// Source: McNemar, Psychometrika 12 (1947).
public struct McNemarTest: Hashable, Sendable {
    /// Number of samples that failed before and pass now.
    public var fixed: Int
    /// Number of samples that passed before and fail now.
    public var broken: Int

    /// Creates a test from the number of changes in each direction.
    public init(fixed: Int, broken: Int) {
        self.fixed = max(fixed, 0)
        self.broken = max(broken, 0)
    }

    /// Exact two-sided p value, from a binomial distribution with probability 1/2.
    public var exactP: Double {
        let tail = BinomialDistribution(count: fixed + broken, probability: 0.5).cumulative(min(fixed, broken))
        return min(1, 2 * tail)
    }

    /// p value of the chi-squared statistic with continuity correction, (|fixed - broken| - 1)² / (fixed + broken).
    ///
    /// 1 if both counts are equal, `nil` if both are 0. Used only for comparison with reference implementations;
    /// verdicts use ``exactP``.
    ///
    /// Source: Edwards, Psychometrika 13 (1948).
    public var correctedP: Double? {
        guard fixed + broken > 0 else { return nil }
        let gap = max(0, abs(Double(fixed) - Double(broken)) - 1)
        return ChiSquaredDistribution(degrees: 1).survival(gap * gap / Double(fixed + broken))
    }
}
