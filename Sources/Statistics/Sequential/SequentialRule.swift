/// When a comparison that goes on may stop.
public struct SequentialRule: Hashable, Sendable {
    /// The chance that is granted to a wrong decision.
    public var alpha: Double
    /// Differences smaller than this make no difference; nil asks only which is better.
    public var margin: Double?
    /// No decision before so many samples.
    public var atLeast: Int
    /// The end at the latest; nil goes on until the samples are used up.
    public var atMost: Int?

    /// A rule; see its properties.
    public init(alpha: Double = 0.05, margin: Double? = nil, atLeast: Int = 1, atMost: Int? = nil) {
        self.alpha = alpha
        self.margin = margin
        self.atLeast = atLeast
        self.atMost = atMost
    }

    /// What a comparison should do next.
    public enum Verdict: Hashable, Sendable {
        case goOn
        case stop(Reason)
    }

    /// Why a comparison stops.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case better
        case worse
        /// Whatever the difference is, it is smaller than the margin.
        case equivalent
        /// The most samples are used up without a decision.
        case exhausted
    }

    /// A comparison that has seen nothing.
    public func start() -> SequentialComparison { SequentialComparison(alpha: alpha) }

    /// - Complexity: constant without a margin; O(distinct values) with one.
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
        return .goOn
    }
}
