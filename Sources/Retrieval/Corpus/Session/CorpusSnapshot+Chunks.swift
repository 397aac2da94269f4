internal import GRDB
public import System
internal import Workspace

extension CorpusSnapshot {
    public func chunks(_ ids: [Int64]) throws(Problem) -> [ChunkContent] {
        try answering {
            try workspace.read { db in
                let row = try Workspace.Statement(
                    db,
                    """
                    SELECT c.document, c.first, c.beyond, c.parent, c.ordinal, d.name, d.chunks, d.namespace,
                        d.title, c.heading, d.kind, c.digest
                    FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document
                    WHERE c.id = ? AND d.corpus = ?
                    """)
                var found: [ChunkContent] = []
                found.reserveCapacity(ids.count)
                for chunk in ids {
                    row.bind(1, chunk)
                    row.bind(2, id)
                    defer { row.reset() }
                    guard try row.step(), namespaces.contains(row.text(7)) else { continue }
                    let first = max(0, row.int(1))
                    let range = first..<max(first, row.int(2))
                    let name = row.text(5)
                    let text = try texts.text(of: row.int64(0), range, db)
                    let whole = ChunkTexts(
                        title: row.text(8), heading: row.text(9), text: text, kind: SourceKind(rawValue: row.text(10)))
                    guard whole.digest == ContentDigest(row.blob(11)) else {
                        throw Problem(
                            .invalid, "chunk \(chunk) of \(name)", "the text differs from the text that was added",
                            remedy: "The workspace is damaged. To locate the damage, run orrery workspace check.")
                    }
                    found.append(
                        ChunkContent(
                            id: chunk, document: name, label: row.int(6) > 1 ? "\(name) #\(row.int(4) + 1)" : name,
                            text: text, range: range,
                            parent: row.isNull(3) ? nil : row.int64(3)))
                }
                return found
            }
        }
    }

    public func chunks(ofDocument document: String) throws(Problem) -> [Int64] {
        try answering {
            try workspace.read { db in
                let (condition, names) = CorpusStore.namespaceCondition(namespaces)
                return try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT c.id FROM retrieval_document d JOIN retrieval_chunk c ON c.document = d.id
                        WHERE d.corpus = ? AND d.name = ? AND \(condition) AND d.duplicate IS NULL AND c.indexed = 1
                        ORDER BY d.id, c.ordinal
                        """,
                    arguments: [id, document] + StatementArguments(names))
            }
        }
    }

    public func metadata(ofChunk chunk: Int64) throws(Problem) -> [Stage.Parameter] {
        try answering {
            guard let subject = try subject(of: chunk) else { return [] }
            let document = subject.document
            var shown = [
                Stage.Parameter("doc.id", document.name), Stage.Parameter("doc.title", document.title),
                Stage.Parameter("doc.kind", document.kind), Stage.Parameter("doc.language", document.language),
                Stage.Parameter("doc.path", document.path), Stage.Parameter("doc.namespace", document.namespace),
                Stage.Parameter("doc.added", MetadataValue.date(document.added).shown),
            ].filter { !$0.value.isEmpty }
            for key in subject.metadata.keys.sorted() {
                guard let value = MetadataRow.value(of: subject.metadata[key] ?? []) else { continue }
                shown.append(Stage.Parameter(key, value.shown))
            }
            return shown
        }
    }

    /// Returns the fields of a chunk's document for filters; `nil` if the chunk does not exist or is hidden from this
    /// session.
    private func subject(of chunk: Int64) throws -> MetadataFilter.Subject? {
        try workspace.read { db in
            let row = try Workspace.Statement(db, "SELECT document FROM retrieval_chunk WHERE id = ?")
            row.bind(1, chunk)
            guard try row.step() else { return nil }
            let document = row.int64(0)
            row.reset()
            guard let found = try CorpusStore.document(document, db), found.corpus == id,
                namespaces.contains(found.namespace)
            else { return nil }
            return MetadataFilter.Subject(metadata: try CorpusStore.metadataRows(of: document, db), document: found)
        }
    }

    // MARK: Filters

    public func resolve(filter expression: String) throws(Problem) -> ChunkFilter {
        let resolved = try answering { try self.resolved(expression) }
        return ChunkFilter(expression: expression, count: resolved.chunks.count, resolved: resolved) { chunk in
            resolved.contains(chunk)
        }
    }

    public func exclusions(
        of chunk: Int64, by expression: String
    ) throws(Problem) -> [FilterExclusion] {
        try answering {
            let filter = try MetadataFilter(parsing: expression)
            if let hidden = try hiding(chunk) { return [hidden] }
            guard let subject = try subject(of: chunk) else { return [] }
            return filter.exclusions(of: subject)
        }
    }

    /// Returns what hides a chunk from every search: its namespace, or a document with the same text.
    private func hiding(_ chunk: Int64) throws -> FilterExclusion? {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT d.namespace, o.name FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document
                LEFT JOIN retrieval_document o ON o.id = d.duplicate WHERE c.id = ? AND d.corpus = ?
                """)
            row.bind(1, chunk)
            row.bind(2, id)
            guard try row.step() else { return nil }
            let namespace = row.text(0)
            guard namespaces.contains(namespace) else {
                let seen = namespaces.map { "\"\($0)\"" }.joined(separator: ", ")
                return FilterExclusion(
                    clause: "namespace in (\(seen))", actual: "its namespace is \"\(namespace)\"",
                    without: nil)
            }
            guard !row.isNull(1) else { return nil }
            return FilterExclusion(
                clause: "no duplicates", actual: "\(row.text(1)) has the same text", without: nil)
        }
    }

    public func hiddenChunks(ofDocument document: String) throws(Problem) -> [Int64] {
        try answering {
            try workspace.read { db in
                try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT c.id FROM retrieval_document d JOIN retrieval_chunk c ON c.document = d.id
                        WHERE d.corpus = ? AND d.name = ? AND c.indexed = 1 ORDER BY d.id, c.ordinal
                        """,
                    arguments: [id, document])
            }
        }
    }
}
