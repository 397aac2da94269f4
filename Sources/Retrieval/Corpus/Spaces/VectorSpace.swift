public import SearchIndexes
public import System

/// The vectors of a corpus by one embedder, and the index over them.
public struct VectorSpace: Hashable, Sendable, Identifiable {
    public var id: Int64
    public var corpus: Int64
    /// Name of the embedder.
    public var embedder: String
    /// Specification for opening the embedder again, as ``EmbedderSpecification`` reads it.
    public var specification: String
    /// Tells vectors of this embedder from those of any other.
    public var digest: String
    public var dimension: Int
    public var metric: Metric
    /// Kind of index; while the space is being built, the requested kind.
    public var index: String
    /// As they were given: `m=16 efConstruction=200`.
    public var parameters: String
    /// Whether searches use the space by default.
    public var isActive: Bool
    /// Every chunk that there was at the end of the last embedding has its vector.
    public var isReady: Bool
    public var vectorCount: Int
    /// Nanoseconds since 1970.
    public var created: Int64
}

/// Settings for the metric and the index of a space.
public struct VectorSpaceSettings: Hashable, Sendable {
    /// Specification for opening the embedder again; empty if a program created it.
    public var specification: String
    public var metric: Metric
    /// Kind of index. `automatic` compares every vector below 10,000 vectors and builds a graph starting at 10,000.
    public var index: String
    /// Parameters of the index, such as `m=16 efConstruction=200`.
    public var parameters: String
    /// Threads that build the index.
    public var threads: Int
    /// Whether the space becomes the default for searches.
    public var activates: Bool

    public init(
        specification: String = "", metric: Metric = .cosine, index: String = "automatic", parameters: String = "",
        threads: Int = 2, activates: Bool = true
    ) {
        self.specification = specification
        self.metric = metric
        self.index = index
        self.parameters = parameters
        self.threads = threads
        self.activates = activates
    }

    /// - Parameter indexes: Kinds of index that the space can have.
    /// - Throws: `Problem` for an unknown index or parameter, or a value out of range.
    public func validate(_ indexes: VectorIndexTable = .standard) throws(Problem) {
        _ = try IndexRecipe(index, parameters, indexes)
    }
}

/// The progress of an embedding.
public struct EmbedProgress: Hashable, Sendable {
    public enum Phase: String, Sendable {
        case learning, embedding, indexing
    }

    public var phase: Phase
    /// Chunks that are done with, and all.
    public var done: Int
    public var total: Int
}
