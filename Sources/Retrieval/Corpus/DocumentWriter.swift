internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// Writes documents and their chunks within one transaction, and keeps the lexical index with them.
///
/// A chunk whose content stays as it was keeps its row, so that no index changes for it.
final class DocumentWriter {
    private let corpus: Int64
    let settings: CorpusSettings
    let lexical: LexicalIndex
    let db: Database
    /// Vector indexes of the corpus, which are notified of removed chunks.
    private let vectorIndexes: [Int64]
    /// Receives every change before it is made.
    var journal: EditJournal?
    private let now = Clock.nanoseconds(.wall)
    private(set) var chunksWritten = 0

    private let insertDocument: Workspace.Statement
    // Bytes of digests and texts are bound as each statement runs.
    private let updateDocument: Workspace.Statement
    private let insertChunk: Workspace.Statement
    private let moveChunk: Workspace.Statement
    private let removeChunk: Workspace.Statement
    private let insertText: Workspace.Statement
    private let insertMetadata: Workspace.Statement
    private let retire: Workspace.Statement

    init(_ corpus: Int64, _ settings: CorpusSettings, _ lexical: LexicalIndex, _ db: Database) throws {
        self.corpus = corpus
        self.settings = settings
        self.lexical = lexical
        self.db = db
        vectorIndexes = try Int64.fetchAll(
            db, sql: "SELECT id FROM retrieval_index WHERE corpus = ? AND kind <> 'lexical'", arguments: [corpus])
        insertDocument = try Workspace.Statement(
            db,
            """
            INSERT INTO retrieval_document
                (corpus, namespace, name, source, path, digest, title, kind, language, bytes, chunks, added, changed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?12, ?12)
            """)
        updateDocument = try Workspace.Statement(
            db,
            """
            UPDATE retrieval_document
            SET source = ?, path = ?, digest = ?, title = ?, kind = ?, language = ?, bytes = ?, chunks = ?, changed = ?,
                duplicate = NULL
            WHERE id = ?
            """)
        insertChunk = try Workspace.Statement(
            db,
            """
            INSERT INTO retrieval_chunk (document, ordinal, first, beyond, parent, indexed, heading, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        moveChunk = try Workspace.Statement(
            db,
            "UPDATE retrieval_chunk SET ordinal = ?, first = ?, beyond = ?, parent = ?, heading = ? WHERE id = ?")
        removeChunk = try Workspace.Statement(db, "DELETE FROM retrieval_chunk WHERE id = ?")
        insertText = try Workspace.Statement(
            db, "INSERT INTO retrieval_text (document, part, bytes, data) VALUES (?, ?, ?, ?)")
        insertMetadata = try Workspace.Statement(
            db,
            """
            INSERT INTO retrieval_metadata (corpus, document, key, place, type, number, text)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
        retire = try Workspace.Statement(db, "INSERT OR IGNORE INTO retrieval_retired (index_id, chunk) VALUES (?, ?)")
    }

    // MARK: Documents

    /// - Returns: The new row.
    @discardableResult
    func insert(_ document: PreparedDocument, name: String, source: Int64?) throws -> Int64 {
        let statement = insertDocument
        statement.bind(1, corpus)
        statement.bind(2, document.namespace)
        statement.bind(3, name)
        statement.bind(4, integer: source)
        bindContent(of: document, to: statement, from: 5)
        statement.bind(12, now)
        try statement.run(6, document.digest.bytes)
        let id = db.lastInsertedRowID
        try journal?.added(id, db)
        try writeParts(of: document, id)
        try writeChunks(of: document, id, old: [:])
        count(documents: 1, bytes: document.bytes)
        return id
    }

    /// Puts a document in the place of what is in a row.
    func replace(_ id: Int64, by document: PreparedDocument, source: Int64?) throws {
        try journal?.keep(id, gone: false, db)
        try settleMarks(id)
        let bytes = try Int.fetchOne(db, sql: "SELECT bytes FROM retrieval_document WHERE id = ?", arguments: [id]) ?? 0
        let statement = updateDocument
        statement.bind(1, integer: source)
        bindContent(of: document, to: statement, from: 2)
        statement.bind(9, now)
        statement.bind(10, id)
        try statement.run(3, document.digest.bytes)
        for table in ["text", "metadata"] {
            try db.execute(sql: "DELETE FROM retrieval_\(table) WHERE document = ?", arguments: [id])
        }
        try writeParts(of: document, id)
        try writeChunks(of: document, id, old: oldChunks(id))
        count(documents: 0, bytes: document.bytes - bytes)
    }

    func remove(_ id: Int64) throws {
        guard
            let bytes = try Int.fetchOne(
                db, sql: "SELECT bytes FROM retrieval_document WHERE id = ? AND corpus = ?", arguments: [id, corpus])
        else { return }
        try journal?.keep(id, gone: true, db)
        try settleMarks(id)
        for chunks in try oldChunks(id).values {
            for chunk in chunks { try forget(chunk) }
        }
        for table in ["text", "metadata"] {
            try db.execute(sql: "DELETE FROM retrieval_\(table) WHERE document = ?", arguments: [id])
        }
        try db.execute(sql: "DELETE FROM retrieval_document WHERE id = ?", arguments: [id])
        count(documents: -1, bytes: -bytes)
    }

    /// Clears the duplicate marks of a document that changed or was removed, and the marks that point at it.
    func settleMarks(_ id: Int64) throws {
        let marked = try Int64.fetchAll(
            db,
            sql:
                "SELECT id FROM retrieval_document WHERE corpus = ?1 AND (duplicate = ?2 OR id = ?2) AND duplicate IS NOT NULL",
            arguments: [corpus, id])
        for one in marked {
            try bringBack(one)
            try db.execute(sql: "UPDATE retrieval_document SET duplicate = NULL WHERE id = ?", arguments: [one])
        }
    }

    private func bindContent(of document: PreparedDocument, to statement: Workspace.Statement, from first: Int32) {
        statement.bind(first, document.source.origin.path)
        statement.bind(first + 2, document.source.title)
        statement.bind(first + 3, document.source.kind.rawValue)
        statement.bind(first + 4, document.language)
        statement.bind(first + 5, document.bytes)
        statement.bind(first + 6, document.chunks.count { $0.isIndexed })
    }

    private func writeParts(of document: PreparedDocument, _ id: Int64) throws {
        for (part, piece) in document.pieces.enumerated() {
            insertText.bind(1, id)
            insertText.bind(2, part)
            insertText.bind(3, piece.bytes)
            try insertText.run(4, piece.data)
        }
        for (key, value) in document.metadata {
            for (place, row) in MetadataRow.rows(of: value).enumerated() {
                insertMetadata.bind(1, corpus)
                insertMetadata.bind(2, id)
                insertMetadata.bind(3, key)
                insertMetadata.bind(4, place)
                insertMetadata.bind(5, row.type.rawValue)
                insertMetadata.bind(6, row.number)
                insertMetadata.bind(7, row.text)
                try insertMetadata.run()
            }
        }
    }

    // MARK: Chunks

    struct OldChunk {
        var id: Int64
        var isIndexed: Bool
    }

    func oldChunks(_ document: Int64) throws -> [ContentDigest: [OldChunk]] {
        let row = try Workspace.Statement(
            db, "SELECT id, indexed, digest FROM retrieval_chunk WHERE document = ? ORDER BY ordinal DESC")
        row.bind(1, document)
        var old: [ContentDigest: [OldChunk]] = [:]
        while try row.step() {
            let digest = ContentDigest(row.blob(2)) ?? ContentDigest(high: 0, low: UInt64(bitPattern: row.int64(0)))
            old[digest, default: []].append(OldChunk(id: row.int64(0), isIndexed: row.int(1) != 0))
        }
        return old
    }

    private func writeChunks(
        of document: PreparedDocument, _ id: Int64, old: [ContentDigest: [OldChunk]]
    ) throws {
        var old = old
        var ids = [Int64](repeating: 0, count: document.chunks.count)
        // Parents first: the others name their rows.
        let order =
            document.chunks.indices.filter { !document.chunks[$0].isIndexed }
            + document.chunks.indices.filter { document.chunks[$0].isIndexed }
        for ordinal in order {
            let chunk = document.chunks[ordinal]
            let parent = chunk.parent.flatMap { ids.indices.contains($0) && ids[$0] > 0 ? ids[$0] : nil }
            if let place = old[chunk.digest]?.lastIndex(where: { $0.isIndexed == chunk.isIndexed }),
                let kept = old[chunk.digest]?.remove(at: place)
            {
                ids[ordinal] = kept.id
                moveChunk.bind(1, ordinal)
                moveChunk.bind(2, chunk.range.lowerBound)
                moveChunk.bind(3, chunk.range.upperBound)
                moveChunk.bind(4, integer: parent)
                moveChunk.bind(5, chunk.texts.heading)
                moveChunk.bind(6, kept.id)
                try moveChunk.run()
                continue
            }
            insertChunk.bind(1, id)
            insertChunk.bind(2, ordinal)
            insertChunk.bind(3, chunk.range.lowerBound)
            insertChunk.bind(4, chunk.range.upperBound)
            insertChunk.bind(5, integer: parent)
            insertChunk.bind(6, chunk.isIndexed ? 1 : 0)
            insertChunk.bind(7, chunk.texts.heading)
            try insertChunk.run(8, chunk.digest.bytes)
            ids[ordinal] = db.lastInsertedRowID
            chunksWritten += 1
            guard chunk.isIndexed else { continue }
            try lexical.add(ids[ordinal], texts: chunk.texts.lexical(settings.fields))
            chunkDifference += 1
        }
        for chunks in old.values {
            for chunk in chunks { try forget(chunk) }
        }
    }

    func forget(_ chunk: OldChunk) throws {
        removeChunk.bind(1, chunk.id)
        try removeChunk.run()
        guard chunk.isIndexed else { return }
        chunkDifference -= 1
        try withdraw(chunk.id)
    }

    /// Takes a chunk out of the indexes.
    func withdraw(_ chunk: Int64) throws {
        try lexical.remove(chunk)
        for index in vectorIndexes {
            retire.bind(1, index)
            retire.bind(2, chunk)
            try retire.run()
        }
    }

    // MARK: Counts

    /// Chunks that are searched now and were not before.
    var chunkDifference = 0
    private var documentDifference = 0
    private var byteDifference = 0

    func count(documents: Int, bytes: Int) {
        documentDifference += documents
        byteDifference += bytes
    }

    /// Notes what a search has to know: counts, and that something changed.
    func finish() throws {
        try journal?.finish(db)
        try db.execute(
            sql: """
                UPDATE retrieval_corpus
                SET documents = documents + ?, chunks = chunks + ?, bytes = bytes + ?, revision = revision + 1
                WHERE id = ?
                """,
            arguments: [documentDifference, chunkDifference, byteDifference, corpus])
    }
}

extension Workspace.Statement {
    /// Binds a number or null.
    func bind(_ parameter: Int32, integer value: Int64?) {
        if let value { bind(parameter, value) } else { bind(parameter, nil as Double?) }
    }

    /// Runs to the end with bytes bound that may go afterwards.
    func run(_ parameter: Int32, _ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { raw in
            bind(lent: raw, parameter)
            try run()
        }
    }
}
