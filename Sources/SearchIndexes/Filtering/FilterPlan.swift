/// How a filtered search is done, and why.
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
    /// The share of vectors near the query that the filter keeps; nil where nobody looked.
    public var localShare: Double?
    /// What the search keeps on the way: candidates of a graph, lists of an inverted file.
    public var effort: Int
    /// Estimated microseconds of each way that could be gone.
    public var estimatedCosts: [Strategy: Double]
    /// The choice in a sentence.
    public var reason: String

    /// The share of all vectors that the filter keeps.
    public var share: Double { count > 0 ? Double(kept) / Double(count) : 0 }
}

/// What a filtered search found, and how.
public struct FilteredResult: Sendable {
    /// Nearest first.
    public var neighbors: [Neighbor]
    public var plan: FilterPlan
}
