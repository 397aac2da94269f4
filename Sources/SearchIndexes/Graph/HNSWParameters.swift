/// Parameters for building a graph.
public struct HNSWParameters: Hashable, Sendable {
    /// Links of a node that is added, and of any node on the upper levels; on the lowest level a node has at most twice
    /// as many.
    public var m: Int
    /// Candidates that are looked at for the links of a new node.
    public var efConstruction: Int
    /// Candidates that a search keeps where it does not say.
    public var effort: Int
    /// Seed for drawing the levels of nodes.
    public var seed: UInt64

    /// Whether a search is led by codes of a byte a dimension: up to twice as fast, for a quarter more memory. `nil`:
    /// up to 192 dimensions, where that is less than what other libraries spend on tables.
    public var codes: Bool?

    public init(
        m: Int = 16, efConstruction: Int = 200, effort: Int = 64, seed: UInt64 = 100, codes: Bool? = nil
    ) {
        self.codes = codes
        self.m = m
        self.efConstruction = efConstruction
        self.effort = effort
        self.seed = seed
    }

    /// Error for the first invalid parameter; `nil` if all are valid.
    var problem: SegmentError? {
        let range = 2...128
        guard range.contains(m) else {
            return SegmentError("hnsw", problem: "\(m) links per node are out of range", remedy: "Use 2 to 128.")
        }
        guard (1...100_000).contains(efConstruction), (1...1_000_000).contains(effort) else {
            return SegmentError(
                "hnsw", problem: "\(efConstruction) or \(effort) candidates are out of range",
                remedy: "Use 1 to 100,000.")
        }
        return nil
    }

    func keepsCodes(dimension: Int) -> Bool { codes ?? (dimension <= 192) }

    /// The highest level a node can have.
    static let highestLevel = 30
}
