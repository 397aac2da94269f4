/// The plan of a filtered search, and the reason for it.
public struct FilterPlan: Hashable, Sendable {
    /// The ways to search with a filter.
    public enum Strategy: String, Hashable, Sendable, CaseIterable {
        /// Compare the query with every kept vector.
        case exact
        /// Walk the graph over kept nodes alone.
        case filteredGraph = "filtered graph"
        /// Search as if there were no filter, wide enough, and drop what it excludes.
        case postFilter = "post-filter"
    }

    public var strategy: Strategy
    /// Vectors that the filter keeps.
    public var kept: Int
    /// Vectors in all.
    public var count: Int
    /// Share of vectors near the query that pass the filter; `nil` if it was not sampled.
    public var localShare: Double?
    /// Search effort: candidates of a graph, or lists of an inverted file.
    public var effort: Int
    /// Estimated microseconds of each strategy; `nil` if the strategy is not available.
    var exactCost: Double?
    var filteredGraphCost: Double?
    var postFilterCost: Double?
    /// Whether the chosen way found too few, so that all that are kept were compared in the end.
    public internal(set) var fellBack = false
    /// Whether there was a filter at all.
    var hasFilter = true

    init(strategy: Strategy, kept: Int, count: Int, localShare: Double? = nil, effort: Int) {
        (self.strategy, self.kept, self.count) = (strategy, kept, count)
        (self.localShare, self.effort) = (localShare, effort)
    }

    /// Returns the estimated microseconds of a strategy; `nil` if the strategy is not available.
    public func estimatedCost(_ strategy: Strategy) -> Double? {
        switch strategy {
        case .exact: exactCost
        case .filteredGraph: filteredGraphCost
        case .postFilter: postFilterCost
        }
    }

    /// The share of all vectors that the filter keeps.
    public var share: Double { count > 0 ? Double(kept) / Double(count) : 0 }
}

/// The result of a filtered search and its plan.
public struct FilteredResult: Sendable {
    /// Nearest first.
    public var neighbors: [Neighbor]
    public var plan: FilterPlan
}
