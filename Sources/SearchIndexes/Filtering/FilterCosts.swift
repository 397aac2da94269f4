/// What the parts of a filtered search cost, in microseconds.
///
/// Only the ratios decide. They were measured with 100,000 vectors of 128 and 50,000 of 384 dimensions on one core; a
/// processor twice as fast is so with all of them.
public struct FilterCosts: Hashable, Sendable {
    /// Of a row that is compared exactly, and of each of its dimensions.
    public var row = 0.002_7
    public var rowDimension = 0.000_067
    /// Of each mebibyte of rows beyond what the processor's caches hold, and how many they hold.
    public var farMebibyte = 33.0
    public var cachedMebibytes = 8.0
    /// Of any walk through a graph, down its levels, and of each dimension of the rows on the way.
    public var walk = 5.0
    public var walkDimension = 0.09
    /// Of each candidate that an unfiltered walk keeps, and of each dimension of it.
    public var candidate = 0.20
    public var candidateDimension = 0.001
    /// Of each candidate that a walk over kept nodes keeps, and of each dimension of it.
    public var keptCandidate = 1.15
    public var keptCandidateDimension = 0.001_2

    public init() {}

    func exact(_ rows: Int, _ dimension: Int) -> Double {
        let mebibytes = Double(rows) * Double(dimension) * 4 / 1_048_576
        return 1 + Double(rows) * (row + rowDimension * Double(dimension))
            + max(0, mebibytes - cachedMebibytes) * farMebibyte
    }

    func start(_ dimension: Int) -> Double { walk + walkDimension * Double(dimension) }

    func unfilteredWalk(_ candidates: Double, _ dimension: Int) -> Double {
        start(dimension) + candidates * (candidate + candidateDimension * Double(dimension))
    }

    func filteredWalk(_ candidates: Double, _ dimension: Int) -> Double {
        start(dimension) + candidates * (keptCandidate + keptCandidateDimension * Double(dimension))
    }
}
