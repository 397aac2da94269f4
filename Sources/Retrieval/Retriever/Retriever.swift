public import SearchIndexes
internal import Synchronization
public import Workspace

/// The corpora and pipelines of a workspace, ready to be asked: what commands and panels work with.
///
/// ```swift
/// let retriever = Retriever(workspace)
/// let pipeline = try retriever.pipeline(named: "hybrid")
/// let record = try retriever.ask("what torque do the dome bolts need?", pipeline, of: corpus)
/// let explanation = try retriever.explain(.document("DM-7"), record, pipeline, of: corpus)
/// ```
/// Corpora that were asked stay open; changes of others are seen at the next question. Any thread may use it.
public final class Retriever: Sendable {
    public let store: CorpusStore
    private let resources: PipelineResources
    private let namespaces: [String]?
    private let desk = Mutex<Desk>(Desk())

    /// What is open.
    private struct Desk {
        var sessions: [Int64: CorpusSession] = [:]
        /// Vectors, scores and answers that were worked out, by the state of a corpus.
        var memories: [Int64: (revision: Int64, memory: PipelineMemory)] = [:]
    }

    /// - Parameter namespaces: What is seen of each corpus; `nil` takes its own namespace alone.
    public init(
        _ workspace: Workspace, resources: PipelineResources = PipelineResources(), namespaces: [String]? = nil,
        indexes: VectorIndexTable = .standard
    ) {
        store = CorpusStore(workspace, indexes: indexes)
        self.resources = resources
        self.namespaces = namespaces
    }

    /// Returns the corpus as it is now.
    public func source(of corpus: Corpus) throws -> CorpusSnapshot {
        if let known = desk.withLock({ $0.sessions[corpus.id] }) { return try known.source() }
        let session = try CorpusSession(store, corpus: corpus.name, namespaces: namespaces)
        desk.withLock { desk in desk.sessions[corpus.id] = desk.sessions[corpus.id] ?? session }
        return try session.source()
    }

    /// Returns a pipeline over a corpus as it is now.
    public func run(_ pipeline: NamedPipeline, over corpus: Corpus) throws -> PipelineRun {
        let source = try source(of: corpus)
        let memory = desk.withLock { desk -> PipelineMemory in
            if let kept = desk.memories[corpus.id], kept.revision == source.revision { return kept.memory }
            let fresh = PipelineMemory()
            desk.memories[corpus.id] = (source.revision, fresh)
            return fresh
        }
        return PipelineRun(
            pipeline.definition, version: pipeline.version ?? 0, over: source, resources: resources, memory: memory)
    }
}

/// A pipeline with the name and version under which the workspace keeps it.
public struct NamedPipeline: Hashable, Sendable {
    public var name: String
    /// `nil` for one that is not kept.
    public var version: Int?
    public var definition: PipelineDefinition

    public init(name: String, version: Int? = nil, definition: PipelineDefinition) {
        self.name = name
        self.version = version
        self.definition = definition
    }
}
