internal import Configuration
internal import GRDB
internal import Glibc
public import SearchIndexes
internal import System
public import Workspace

/// The corpora of a workspace: made, filled, listed, changed.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: Retrieval.migrations, create: true)
/// let store = CorpusStore(workspace)
/// let manuals = try store.create("manuals")
/// let report = try store.add(["manuals/"], to: manuals.id)
/// let session = try CorpusSession(store, corpus: "manuals")
/// ```
///
/// A value of this type may be used from any thread, by several at once. Reading never waits for writing.
///
/// - ``create(_:settings:)``, ``corpora()``, ``corpus(named:)``, ``rename(_:to:)``, ``delete(_:)``, ``undo()``.
/// - ``add(_:to:options:job:cancellation:progress:)``, ``addAsJob(_:to:options:cancellation:progress:)``,
///   ``remove(documents:from:)``: what is in them.
/// - ``documents(of:in:limit:after:)``, ``text(of:)``, ``chunks(of:)``: what can be read.
/// - ``embed(_:with:settings:job:cancellation:progress:)``, ``spaces(of:)``, ``activate(_:)``: their vectors.
/// - ``savePipeline(_:toml:)``, ``questions(in:)``: what is asked of them.
///
/// Errors are `Problem` and `WorkspaceError`, whose sentences say what, where and what to do, and
/// `CancellationError`.
public struct CorpusStore: Sendable {
    public let workspace: Workspace
    /// Kinds of index that vector spaces can have.
    public let indexes: VectorIndexTable

    /// Creates the store of a workspace that was opened with ``Retrieval/migrations``.
    public init(_ workspace: Workspace, indexes: VectorIndexTable = .standard) {
        self.workspace = workspace
        self.indexes = indexes
    }

    // MARK: Corpora

    /// Makes an empty corpus.
    ///
    /// - Parameter isSample: Whether the corpus is sample data, which takes documents only if it is named explicitly.
    /// - Throws: `Problem` if the name is taken or a setting is out of range.
    public func create(
        _ name: String, settings: CorpusSettings = CorpusSettings(), isSample: Bool = false
    ) throws -> Corpus {
        try settings.validate()
        try Self.checkName(name)
        let id = try workspace.write { db in
            try Self.refuseTaken(name, db)
            try db.execute(
                sql: "INSERT INTO retrieval_corpus (name, settings, created, sample) VALUES (?, ?, ?, ?)",
                arguments: [name, settings.json, Clock.nanoseconds(.wall), isSample])
            return db.lastInsertedRowID
        }
        return try corpus(id)
    }

    /// Returns all corpora by name.
    public func corpora() throws -> [Corpus] {
        try workspace.read { db in
            try Self.corpora("deleted IS NULL ORDER BY name", [], db)
        }
    }

    /// - Throws: `Problem` if there is no such corpus.
    public func corpus(_ id: Int64) throws -> Corpus {
        try workspace.read { db in try Self.corpus(id, db) }
    }

    /// - Throws: `Problem` that lists the corpora if none has the name.
    public func corpus(named name: String) throws -> Corpus {
        try workspace.read { db in
            if let found = try Self.corpora("deleted IS NULL AND name = ?", [name], db).first { return found }
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM retrieval_corpus WHERE deleted IS NULL ORDER BY name LIMIT 1000")
            throw Problem(
                .unknown, "", "unknown corpus \"\(name)\"",
                remedy: NearestName.remedy(name, among: names, none: "Create one with corpus add."))
        }
    }

    static func corpus(_ id: Int64, _ db: Database) throws -> Corpus {
        guard let found = try corpora("id = ? AND deleted IS NULL", [id], db).first else {
            throw Problem(.unknown, "", "unknown corpus \(id)", remedy: "It may have been deleted.")
        }
        return found
    }

    private static func corpora(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [Corpus]
    {
        let sql = """
            SELECT id, name, settings, created, revision, documents, chunks, bytes, sample FROM retrieval_corpus
            WHERE \(condition)
            """
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            let name: String = row[1]
            guard let settings = CorpusSettings(json: row[2]) else {
                throw Problem(
                    .corrupt, "corpus \(name)", "the settings are corrupt", remedy: "Create the corpus again.")
            }
            return Corpus(
                id: row[0], name: name, settings: settings, created: row[3], revision: row[4], documentCount: row[5],
                chunkCount: row[6], byteCount: row[7], isSample: row[8])
        }
    }

    // MARK: Names

    static func checkName(_ name: String) throws(Problem) {
        guard (1...200).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }),
            name.first != " ", name.last != " "
        else {
            throw Problem(
                .invalid, "", "a name needs 1 to 200 bytes, without control characters or spaces at the ends",
                remedy: "Choose another name.")
        }
    }

    static func refuseTaken(_ name: String, _ db: Database) throws {
        let taken = try Int64.fetchOne(
            db, sql: "SELECT id FROM retrieval_corpus WHERE name = ? AND deleted IS NULL", arguments: [name])
        guard taken == nil else {
            throw Problem(.invalid, "", "corpus \(name) already exists", remedy: "Choose another name.")
        }
    }
}
