/// Costs of the parts of a filtered search, in microseconds.
///
/// Only the ratios decide. They were measured with 100,000 vectors of 128 and 50,000 of 384 dimensions on one core; a
/// processor twice as fast is so with all of them.
public struct FilterCosts: Hashable, Sendable {
    /// Cost of an exact comparison with a row, and of each of its dimensions.
    public var row = 0.002_7
    public var rowDimension = 0.000_067
    /// Cost of each mebibyte of rows beyond the processor's caches, and the size of the caches.
    public var farMebibyte = 33.0
    public var cachedMebibytes = 8.0
    /// Cost of a walk through the levels of a graph, and of each dimension of the visited rows.
    public var walk = 5.0
    public var walkDimension = 0.09
    /// Cost of each candidate of an unfiltered walk, and of each of its dimensions.
    public var candidate = 0.20
    public var candidateDimension = 0.001
    /// Cost of each candidate of a filtered walk, and of each of its dimensions.
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
