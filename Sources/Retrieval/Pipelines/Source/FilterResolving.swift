public import System

/// Finds out which chunks an expression over metadata lets through.
public protocol FilterResolving: Sendable {
    /// Returns the chunks that an expression lets through.
    ///
    /// - Throws: `Problem` that points into an expression that cannot be read.
    func resolve(filter expression: String) throws(Problem) -> ChunkFilter

    /// Returns the clauses of an expression that a chunk fails, in order; empty if the chunk matches.
    ///
    /// The expression may be empty. Other reasons for excluding a chunk, such as a namespace that the source does not
    /// search, are reported as clauses that cannot be removed.
    func exclusions(of chunk: Int64, by expression: String) throws(Problem) -> [FilterExclusion]

    /// Returns the chunks of a document that no search of this source can find, such as those of another namespace.
    func hiddenChunks(ofDocument document: String) throws(Problem) -> [Int64]
}

extension FilterResolving {
    public func hiddenChunks(ofDocument document: String) throws(Problem) -> [Int64] { [] }
}

/// A filter that was resolved: a set of chunks.
public struct ChunkFilter: Sendable {
    /// As the pipeline has it.
    public var expression: String
    /// Number of matching chunks; `nil` if they were not counted.
    public var count: Int?
    /// Data of the source that resolved the filter, such as slots; only that source reads it.
    public var resolved: (any Sendable)?
    private let lets: @Sendable (Int64) -> Bool

    public init(
        expression: String, count: Int? = nil, resolved: (any Sendable)? = nil,
        contains: @escaping @Sendable (Int64) -> Bool
    ) {
        self.expression = expression
        self.count = count
        self.resolved = resolved
        lets = contains
    }

    public func contains(_ chunk: Int64) -> Bool { lets(chunk) }
}

/// A clause of a filter that a chunk fails.
public struct FilterExclusion: Hashable, Sendable {
    /// As the expression has it, such as `kind = "ticket"`.
    public var clause: String
    /// Actual value in the chunk: `kind is "manual"`, `kind is missing`.
    public var actual: String
    /// The whole expression without this clause, empty if nothing is left; `nil` if the clause cannot be removed.
    public var without: String?

    public init(clause: String, actual: String, without: String?) {
        self.clause = clause
        self.actual = actual
        self.without = without
    }
}
