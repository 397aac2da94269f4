/// What the parts of a filtered search cost, in microseconds.
///
/// Only the ratios decide. They were measured with 100,000 vectors of 128 and 50,000 of 384 dimensions on one core; a
/// processor twice as fast is so with all of them.
public struct FilterCosts: Hashable, Sendable {
    /// Of a row that is compared exactly, and of each of its dimensions.
    public var row = 0.004
    public var rowDimension = 0.000_052
    /// Of any walk through a graph: down its levels, and the ranking at the end.
    public var walk = 12.0
    /// Of each candidate that an unfiltered walk keeps, and of each dimension of it.
    public var candidate = 0.20
    public var candidateDimension = 0.000_6
    /// Of each candidate that a walk over kept nodes keeps, and of each dimension of it.
    public var keptCandidate = 0.9
    public var keptCandidateDimension = 0.004

    public init() {}

    func exact(_ rows: Int, _ dimension: Int) -> Double {
        1 + Double(rows) * (row + rowDimension * Double(dimension))
    }

    func unfilteredWalk(_ candidates: Double, _ dimension: Int) -> Double {
        walk + candidates * (candidate + candidateDimension * Double(dimension))
    }

    func filteredWalk(_ candidates: Double, _ dimension: Int) -> Double {
        walk + candidates * (keptCandidate + keptCandidateDimension * Double(dimension))
    }
}
