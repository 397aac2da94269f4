/// Settings for building a Vamana graph.
public struct VamanaSettings: Hashable, Sendable {
    /// Neighbors that a node keeps at most (R).
    public var degree: Int
    /// Candidates kept on the way while building (L).
    public var complexity: Int
    /// Factor by which a neighbor must be nearer to make a longer link redundant (alpha, for squared distances).
    public var alpha: Float
    /// Number of passes that link every node again; alpha is 1 in all passes except the last.
    public var passes: Int
    /// Bits of a dimension in the codes that steer a search in a file: 4 or 8.
    public var codeBits: Int?

    /// - Parameter codeBits: Nil takes 8 where that is not much memory, 4 otherwise.
    public init(
        degree: Int = 64, complexity: Int = 100, alpha: Float = 1.2, passes: Int = 2, codeBits: Int? = nil
    ) {
        self.degree = min(max(degree, 4), 512)
        self.complexity = min(max(complexity, 4), 10_000)
        self.alpha = min(max(alpha.isFinite ? alpha : 1.2, 1), 4)
        self.passes = min(max(passes, 1), 4)
        self.codeBits = codeBits.map { $0 <= 4 ? 4 : 8 }
    }

    /// Links that a node may have before they are thinned out to `degree`.
    var width: Int { degree + degree * 3 / 10 }
}
