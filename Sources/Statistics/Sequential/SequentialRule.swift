/// A rule for stopping a sequential comparison.
public struct SequentialRule: Hashable, Sendable {
    /// Maximum probability of a wrong decision.
    public var alpha: Double
    /// Margin of equivalence: smaller differences do not matter. `nil` tests only which side is better.
    public var margin: Double?
    /// Minimum number of samples before a decision.
    public var atLeast: Int
    /// Maximum number of samples; `nil` for no limit.
    public var atMost: Int?

    /// Creates a rule.
    public init(alpha: Double = 0.05, margin: Double? = nil, atLeast: Int = 1, atMost: Int? = nil) {
        self.alpha = alpha
        self.margin = margin
        self.atLeast = atLeast
        self.atMost = atMost
    }

    /// Verdicts of the rule.
    public enum Verdict: Hashable, Sendable {
        /// Add more samples.
        case keepSampling
        /// Stop, for this reason.
        case stop(Reason)
    }

    /// Reasons to stop a comparison.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// B is better.
        case better
        /// B is worse.
        case worse
        /// The difference is smaller than the margin.
        case equivalent
        /// The maximum number of samples was reached without a decision.
        case exhausted
    }

    /// Returns a comparison without samples.
    public func start() -> SequentialComparison { SequentialComparison(alpha: alpha) }

    /// Returns whether a comparison should stop, and why.
    ///
    /// - Complexity: Constant without a margin; O(distinct values) with one.
    public func verdict(_ comparison: SequentialComparison) -> Verdict {
        if comparison.count >= atLeast {
            switch comparison.decision {
            case .better: return .stop(.better)
            case .worse: return .stop(.worse)
            case .undecided: break
            }
            if let margin {
                let interval = comparison.interval()
                if interval.lower > -margin, interval.upper < margin { return .stop(.equivalent) }
            }
        }
        if let atMost, comparison.count >= atMost { return .stop(.exhausted) }
        return .keepSampling
    }
}
