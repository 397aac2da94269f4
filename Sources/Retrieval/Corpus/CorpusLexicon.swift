internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// The lexical index of a corpus while it is being written.
///
/// The index is reused in the next transaction unless another process has written in the meantime.
final class CorpusLexicon {
    private let workspace: Workspace
    private let corpus: Corpus
    private var index: LexicalIndex?
    private var id: Int64 = 0
    private var seal: UInt64 = 0

    init(_ workspace: Workspace, _ corpus: Corpus) throws {
        self.workspace = workspace
        self.corpus = corpus
    }

    /// Returns the row of a corpus's lexical index; `nil` if the index does not exist yet.
    static func row(of corpus: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM retrieval_index WHERE corpus = ? AND kind = 'lexical'", arguments: [corpus])
    }

    /// Returns the index in the state that the transaction sees.
    func forWriting(_ db: Database) throws -> LexicalIndex {
        if let found = try Self.row(of: corpus.id, db) {
            id = found
        } else {
            try db.execute(
                sql: "INSERT INTO retrieval_index (corpus, kind, state, created) VALUES (?, 'lexical', 'ready', ?)",
                arguments: [corpus.id, Clock.nanoseconds(.wall)])
            id = db.lastInsertedRowID
        }
        let now = try WorkspaceSegments(db, index: id)
        if let index, now.seal == seal { return index }
        let made: LexicalIndex
        if now.isEmpty {
            made = try LexicalIndex(corpus.settings.lexical())
        } else {
            made = try LexicalIndex(from: LiveSegments(workspace, index: id, db))
        }
        index = made
        return made
    }

    /// Writes what changed within the transaction.
    func save(_ db: Database) throws {
        guard let index else { return }
        var segments = try WorkspaceSegments(db, index: id)
        try index.save(to: &segments)
        seal = segments.seal
    }

    /// The transaction is on the disk: memory that the index held for it may go.
    func committed() throws {
        guard let index else { return }
        index.attach(try LiveSegments(workspace, index: id))
    }

    /// The transaction was undone: what the index holds in memory is of no state.
    func forget() { index = nil }
}
