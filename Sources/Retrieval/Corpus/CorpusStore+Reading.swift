internal import Configuration
internal import GRDB
internal import Workspace

extension CorpusStore {
    /// Documents of a corpus by their rows.
    ///
    /// - Parameters:
    ///   - namespaces: Nil takes all.
    ///   - after: Only rows behind this one, for the next page.
    public func documents(
        of corpus: Int64, in namespaces: [String]? = nil, limit: Int = 1_000, after: Int64 = 0
    ) throws -> [DocumentRow] {
        try workspace.read { db in
            let (condition, arguments) = Self.namespaceCondition(namespaces)
            return try Self.documents(
                "corpus = ? AND id > ? AND \(condition) ORDER BY id LIMIT ?",
                [corpus, after] + StatementArguments(arguments) + [limit], db)
        }
    }

    /// Documents that an expression over metadata lets through.
    ///
    /// - Throws: `Problem` that points into the expression.
    public func documents(
        of corpus: Int64, matching filter: MetadataFilter, in namespaces: [String]? = nil, limit: Int = 1_000
    ) throws -> [DocumentRow] {
        try workspace.read { db in
            let (condition, names) = Self.namespaceCondition(namespaces)
            let (sql, values) = filter.sql(corpus: corpus)
            return try Self.documents(
                "corpus = ? AND \(condition) AND (\(sql)) ORDER BY id LIMIT ?",
                [corpus] + StatementArguments(names) + StatementArguments(values) + [limit], db)
        }
    }

    /// Returns the document in a row; `nil` if the row does not exist.
    public func document(_ id: Int64) throws -> DocumentRow? {
        try workspace.read { db in try Self.document(id, db) }
    }

    /// Documents by the id that their owner calls them by: one in each namespace that has it.
    public func documents(named name: String, of corpus: Int64, in namespaces: [String]? = nil) throws -> [DocumentRow]
    {
        try workspace.read { db in
            let (condition, arguments) = Self.namespaceCondition(namespaces)
            return try Self.documents(
                "corpus = ? AND \(condition) AND name = ? ORDER BY id",
                [corpus] + StatementArguments(arguments) + [name], db)
        }
    }

    /// What to do about a document that there is not: the nearest of the first ten thousand.
    public func remedy(forDocument name: String, of corpus: Int64) throws -> String {
        let names = try workspace.read { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT name FROM retrieval_document WHERE corpus = ? ORDER BY name LIMIT 10000",
                arguments: [corpus])
        }
        // Most people know the end of a path.
        if let longer = names.first(where: { $0.hasSuffix("/" + name) }) { return NearestName.question([longer]) }
        return NearestName.suggestion(for: name, among: names) ?? "List documents with orrery corpus show."
    }

    /// Returns the namespaces of a corpus with the number of their documents, by name.
    public func namespaces(of corpus: Int64) throws -> [(name: String, documents: Int)] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT namespace, count(*) FROM retrieval_document WHERE corpus = ? GROUP BY namespace
                    ORDER BY namespace
                    """,
                arguments: [corpus]
            ).map { ($0[0], $0[1]) }
        }
    }

    /// Returns the whole text of a document; empty if the document does not exist.
    public func text(of document: Int64) throws -> String {
        try workspace.read { db in try DocumentTexts.read(document, db) }
    }

    /// Returns the chunks of a document in their order, parents among them.
    public func chunks(of document: Int64) throws -> [ChunkRow] {
        try workspace.read { db in try Self.chunks("document = ? ORDER BY ordinal", document, db) }
    }

    /// Returns the chunk in a row; `nil` if the row does not exist.
    public func chunk(_ id: Int64) throws -> ChunkRow? {
        try workspace.read { db in try Self.chunks("id = ?", id, db).first }
    }

    /// Returns the text of a chunk.
    public func text(of chunk: ChunkRow) throws -> String {
        try workspace.read { db in try DocumentTexts.read(chunk.document, db, range: chunk.range) }
    }

    /// Returns the metadata of a document, by key.
    public func metadata(of document: Int64) throws -> [(key: String, value: MetadataValue)] {
        try workspace.read { db in
            try Self.metadataRows(of: document, db).sorted { $0.key < $1.key }
                .compactMap { entry in MetadataRow.value(of: entry.value).map { (entry.key, $0) } }
        }
    }

    // MARK: Rows

    /// Returns a condition over namespaces; an empty list matches no document.
    static func namespaceCondition(_ namespaces: [String]?) -> (sql: String, arguments: [any DatabaseValueConvertible])
    {
        guard let namespaces else { return ("1", []) }
        guard !namespaces.isEmpty else { return ("0", []) }
        return ("namespace IN (\(namespaces.map { _ in "?" }.joined(separator: ", ")))", namespaces)
    }

    static func documents(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [DocumentRow]
    {
        let sql = """
            SELECT id, corpus, namespace, name, path, title, kind, language, bytes, chunks, added, changed, duplicate
            FROM retrieval_document d WHERE \(condition)
            """
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            DocumentRow(
                id: row[0], corpus: row[1], namespace: row[2], name: row[3], path: row[4], title: row[5], kind: row[6],
                language: row[7], byteCount: row[8], chunkCount: row[9], added: row[10], changed: row[11],
                duplicate: row[12])
        }
    }

    static func document(_ id: Int64, _ db: Database) throws -> DocumentRow? {
        try documents("id = ?", [id], db).first
    }

    static func metadataRows(of document: Int64, _ db: Database) throws -> [String: [MetadataRow]] {
        let row = try Workspace.Statement(
            db, "SELECT key, type, number, text FROM retrieval_metadata WHERE document = ? ORDER BY key, place")
        row.bind(1, document)
        var rows: [String: [MetadataRow]] = [:]
        while try row.step() {
            let type = MetadataRow.ValueType(rawValue: row.int(1)) ?? .text
            rows[row.text(0), default: []].append(
                MetadataRow(type: type, number: row.isNull(2) ? nil : row.double(2), text: row.optionalText(3)))
        }
        return rows
    }

    static func chunks(_ condition: String, _ argument: Int64, _ db: Database) throws -> [ChunkRow] {
        let row = try Workspace.Statement(
            db,
            """
            SELECT id, document, ordinal, first, beyond, parent, indexed, heading, digest FROM retrieval_chunk
            WHERE \(condition)
            """)
        row.bind(1, argument)
        var chunks: [ChunkRow] = []
        while try row.step() { chunks.append(chunk(row)) }
        return chunks
    }

    static func chunk(_ row: Workspace.Statement) -> ChunkRow {
        let first = max(0, row.int(3))
        return ChunkRow(
            id: row.int64(0), document: row.int64(1), ordinal: row.int(2), range: first..<max(first, row.int(4)),
            parent: row.isNull(5) ? nil : row.int64(5), isIndexed: row.int(6) != 0, heading: row.text(7),
            digest: ContentDigest(row.blob(8)) ?? ContentDigest(high: 0, low: 0))
    }
}
