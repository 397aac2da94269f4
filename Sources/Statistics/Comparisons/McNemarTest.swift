/// Whether pairs of a failure and a success turn one way more often than the other.
///
/// Source: McNemar, Psychometrika 12 (1947).
public struct McNemarTest: Hashable, Sendable {
    /// Failed before, passes now.
    public var fixed: Int
    /// Passed before, fails now.
    public var broken: Int

    /// Of the pairs that changed.
    public init(fixed: Int, broken: Int) {
        self.fixed = max(fixed, 0)
        self.broken = max(broken, 0)
    }

    /// Both sides of a binomial distribution with probability 1/2, at most 1.
    public var exactP: Double {
        let tail = BinomialDistribution(count: fixed + broken, probability: 0.5).cumulative(min(fixed, broken))
        return min(1, 2 * tail)
    }

    /// Chi-squared with continuity correction, (|fixed - broken| - 1)² / (fixed + broken); 1 where both are equal, nil
    /// where both are 0.
    ///
    /// Source: Edwards, Psychometrika 13 (1948).
    ///
    /// It is what the reference values hold the counts against; verdicts take the exact one.
    public var correctedP: Double? {
        guard fixed + broken > 0 else { return nil }
        let gap = max(0, abs(Double(fixed) - Double(broken)) - 1)
        return ChiSquaredDistribution(degrees: 1).survival(gap * gap / Double(fixed + broken))
    }
}
