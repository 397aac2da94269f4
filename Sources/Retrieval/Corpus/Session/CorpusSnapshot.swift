internal import GRDB
internal import SearchIndexes
internal import Synchronization
internal import System
internal import Workspace

/// One state of a corpus, as pipelines read and search it.
///
/// Texts and metadata are read from the workspace when they are asked for; a chunk that was removed meanwhile is left
/// out.
public final class CorpusSnapshot: RetrievalSource {
    public let corpus: String
    /// The chunks that can be found, those of other namespaces not among them.
    public var chunkCount: Int {
        // If the namespaces cannot be read, no chunk can be found, and each search reports the error.
        do { return try scope()?.chunks.count ?? allChunks } catch { return 0 }
    }
    /// The namespaces that are seen.
    public let namespaces: [String]
    public let settings: CorpusSettings
    public let revision: Int64
    /// Chunks that have no vector yet, by the active space.
    public let chunksWithoutVector: Int

    let workspace: Workspace
    let indexes: VectorIndexTable
    let id: Int64
    let texts: DocumentTexts
    let lexicalIndex: Loaded<LexicalIndex?>
    let spaceParts: [SpacePart]
    /// Chunks that the session may see; `nil` if it may see every chunk.
    private let scope: Loaded<ResolvedFilter?>
    private let allChunks: Int
    let rescored = RescoredIndexes()
    private let filters = Mutex<[String: ResolvedFilter]>([:])
    private let lexicalSeal: UInt64?
    let lexicalRow: Int64?

    /// A vector space with what belongs to it, each read when it is needed first.
    struct SpacePart: Sendable {
        var space: VectorSpace
        /// As requests name it.
        var name: String
        var seal: UInt64
        var reader: Loaded<SpaceReader>
        var embedder: Loaded<any Embedder>
        /// Chunks that are gone and still have a vector.
        var retired: Set<Int64>
    }

    init(
        _ store: CorpusStore, corpus: Int64, namespaces: [String], embedder: (any Embedder)?,
        previous: CorpusSnapshot?
    ) throws {
        let (workspace, indexes) = (store.workspace, store.indexes)
        self.workspace = workspace
        self.indexes = indexes
        id = corpus
        self.namespaces = namespaces
        texts = DocumentTexts()
        let state = try workspace.read { db in try CorpusState(corpus, namespaces, db) }
        self.corpus = state.corpus.name
        settings = state.corpus.settings
        revision = state.corpus.revision
        allChunks = state.corpus.chunkCount
        let chunks = state.corpus.chunkCount
        (lexicalSeal, lexicalRow) = (state.lexical?.seal, state.lexical?.id)
        if let previous, previous.lexicalSeal == lexicalSeal {
            lexicalIndex = previous.lexicalIndex
        } else {
            let row = state.lexical?.id
            lexicalIndex = Loaded {
                guard let row else { return nil }
                return try LexicalIndex(from: LiveSegments(workspace, index: row))
            }
        }
        var parts: [SpacePart] = []
        for (space, seal, retired) in state.spaces {
            let isDouble = state.spaces.count { $0.space.embedder == space.embedder } > 1
            let known = previous?.spaceParts.first { $0.space.id == space.id && $0.seal == seal }
            parts.append(
                SpacePart(
                    space: space, name: isDouble ? "\(space.embedder) \(space.index) \(space.id)" : space.embedder,
                    seal: seal, reader: known?.reader ?? Loaded { try SpaceReader(workspace, space, indexes) },
                    embedder: known?.embedder ?? Loaded { try space.openEmbedder(workspace, given: embedder) },
                    retired: retired))
        }
        spaceParts = parts
        chunksWithoutVector = parts.first.map { max(0, chunks - $0.space.vectorCount + $0.retired.count) } ?? 0
        let isWhole = state.isWhole
        scope = Loaded {
            guard !isWhole else { return nil }
            return try workspace.read { db in try ResolvedFilter(corpus, namespaces, nil, db) }
        }
    }

    /// Reads what searches need.
    func load() {
        _ = try? lexicalIndex()
        _ = try? scope()
        for part in spaceParts where part.space.isActive { _ = try? part.reader() }
    }

    // MARK: Filters

    /// Returns the chunks that a request may see: its filter within the namespaces; `nil` if it may see everything.
    func allowed(_ filter: ChunkFilter?) throws(Problem) -> ResolvedFilter? {
        try answering {
            guard let filter else { return try scope() }
            if let resolved = filter.resolved as? ResolvedFilter, resolved.fits(id, namespaces, revision) {
                return resolved
            }
            // A filter from another source: apply its own test within the chunks of this session.
            let all = try scope() ?? workspace.read { db in try ResolvedFilter(id, namespaces, nil, db) }
            return ResolvedFilter(id, namespaces, revision, all.chunks.filter(filter.contains))
        }
    }

    /// Returns the chunks that an expression lets through, kept for the next time.
    func resolved(_ expression: String) throws -> ResolvedFilter {
        if let known = filters.withLock({ $0[expression] }) { return known }
        let filter = try MetadataFilter(parsing: expression)
        var made = try workspace.read { db in try ResolvedFilter(id, namespaces, filter, db) }
        made.revision = revision
        filters.withLock { filters in
            if filters.count >= 32 { filters.removeAll() }
            filters[expression] = made
        }
        return made
    }

    /// Errors of all kinds as one.
    func answering<Result>(_ body: () throws -> Result) throws(Problem) -> Result {
        do {
            return try body()
        } catch let error as Problem {
            throw error
        } catch let error as SegmentError {
            throw Problem(.failed, "corpus \(corpus), \(error.place)", error.problem, remedy: error.remedy)
        } catch is CancellationError {
            throw Problem.cancelled(corpus)
        } catch let error as WorkspaceError {
            throw Problem(.failed, "corpus \(corpus)", error.sentence)
        } catch {
            throw Problem(error, in: "corpus \(corpus)")
        }
    }
}

/// The state of a corpus, read from the tables at once.
private struct CorpusState {
    var corpus: Corpus
    var lexical: (id: Int64, seal: UInt64)?
    var spaces: [(space: VectorSpace, seal: UInt64, retired: Set<Int64>)] = []
    /// No document is outside the namespaces, or marked as a duplicate.
    var isWhole: Bool

    init(_ id: Int64, _ namespaces: [String], _ db: Database) throws {
        corpus = try CorpusStore.corpus(id, db)
        if let row = try CorpusLexicon.row(of: id, db) {
            lexical = (row, try IndexManifest.read(row, db)?.seal(of: row) ?? 0)
        }
        for space in try CorpusStore.spaces("corpus = ? AND state = 'ready'", [id], db) {
            let retired = try Int64.fetchAll(
                db, sql: "SELECT chunk FROM retrieval_retired WHERE index_id = ?", arguments: [space.id])
            let seal = try IndexManifest.read(space.id, db)?.seal(of: space.id) ?? 0
            spaces.append((space, seal, Set(retired)))
        }
        // From one namespace to the next, for there may be a million documents in each.
        isWhole = true
        let next = try Workspace.Statement(
            db,
            """
            SELECT namespace FROM retrieval_document WHERE corpus = ? AND namespace > ? ORDER BY namespace LIMIT 1
            """)
        var last = ""
        while true {
            next.bind(1, id)
            next.bind(2, last)
            guard try next.step() else { break }
            last = next.text(0)
            next.reset()
            guard namespaces.contains(last) else {
                isWhole = false
                break
            }
        }
    }
}

extension VectorSpace {
    /// Returns the embedder that made the vectors, for questions.
    ///
    /// - Throws: `Problem` if the index cannot be opened or has been replaced.
    func openEmbedder(_ workspace: Workspace, given: (any Embedder)?) throws -> any Embedder {
        if let given, given.digest == digest { return given }
        let same = try workspace.read { db in
            try Int64.fetchAll(
                db, sql: "SELECT id FROM retrieval_index WHERE digest = ? ORDER BY id = ? DESC, id",
                arguments: [digest, id])
        }
        for space in same {
            let learned = try HashedSpace.embedder(workspace, space: space)
            if let learned, learned.digest == digest { return learned }
        }
        guard !specification.isEmpty else {
            throw Problem(
                .unknown, embedder, "queries cannot be embedded because the embedder of the vectors is unknown",
                remedy: "Embed the corpus again with --question-embedder, or set dense.space.")
        }
        let opened = try EmbedderSpecification(specification).open()
        guard opened.digest == digest else {
            throw Problem(
                .invalid, specification, "the model has changed since the corpus was embedded",
                remedy: "Embed the corpus again, or restore the old model.")
        }
        return opened
    }
}
