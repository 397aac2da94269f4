internal import Dispatch
internal import GRDB
internal import SearchIndexes
internal import Synchronization
internal import Workspace

/// A corpus that is open for searching: indexes are read once and shared by all searches.
///
/// ```swift
/// let session = try CorpusSession(CorpusStore(workspace), corpus: "manuals")
/// let source = try session.source()                     // one state of the corpus, for one run
/// let hits = try source.searchLexically(LexicalRequest(query: "torque", k: 10)) { false }
/// ```
/// A session sees only the namespaces that it was opened for. Every search calls ``source()``, which checks whether
/// this or another process changed the corpus, and reads only the changed parts again. Any thread may use a session.
public final class CorpusSession: Sendable {
    public let store: CorpusStore
    public let corpus: Int64
    /// The namespaces that searches see.
    public let namespaces: [String]

    private let embedder: (any Embedder)?
    private let current: Mutex<CorpusSnapshot>

    /// - Parameters:
    ///   - namespaces: What searches see; `nil` takes the corpus's own namespace alone.
    ///   - embedder: For spaces whose embedder cannot be opened from its specification.
    /// - Throws: `Problem` if there is no such corpus.
    public init(
        _ store: CorpusStore, corpus name: String, namespaces: [String]? = nil, embedder: (any Embedder)? = nil
    ) throws {
        self.store = store
        let found = try store.corpus(named: name)
        corpus = found.id
        let seen = namespaces ?? [found.settings.namespace]
        self.namespaces = seen
        self.embedder = embedder
        current = Mutex(
            try CorpusSnapshot(store, corpus: found.id, namespaces: seen, embedder: embedder, previous: nil))
    }

    /// Returns the current state of the corpus, which does not change while it is held. Cheap if nothing changed.
    public func source() throws -> CorpusSnapshot {
        let revision = try store.workspace.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT revision FROM retrieval_corpus WHERE id = ? AND deleted IS NULL", arguments: [corpus])
        }
        let known = current.withLock { $0 }
        guard revision != known.revision else { return known }
        let made = try CorpusSnapshot(
            store, corpus: corpus, namespaces: namespaces, embedder: embedder, previous: known)
        return current.withLock { current in
            // Another thread may have been quicker.
            if current.revision < made.revision { current = made }
            return made
        }
    }

    /// The corpus as it was when ``source()`` was called last; never waits for the file.
    public var lastSource: CorpusSnapshot { current.withLock { $0 } }

    /// Reads the indexes in the background, so that the first search need not.
    public func warmUp() {
        let source = lastSource
        DispatchQueue.global(qos: .utility).async { source.load() }
    }
}
