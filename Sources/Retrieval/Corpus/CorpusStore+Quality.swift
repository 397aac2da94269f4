internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// A document whose text some rule finds wanting.
public struct DoubtfulDocument: Sendable {
    public var document: DocumentRow
    public var report: QualityReport
}

extension CorpusStore {
    /// Documents that say the same or nearly so, in clusters; labels are rows of documents. Nothing is changed.
    ///
    /// - Parameter progress: Called with documents done and all; false ends it with what was found so far.
    public func duplicates(
        of corpus: Int64, threshold: Double = 0.7, progress: (Int, Int) -> Bool = { _, _ in true }
    ) throws -> DuplicateReport {
        let ids = try documentIDs(corpus)
        var finder = DuplicateFinder(MinHashSettings(threshold: threshold))
        try forEachText(ids) { batch, done in
            finder.add(batch)
            return progress(done, ids.count)
        }
        return finder.report { id in try? text(of: id) }
    }

    /// Marks the documents of a report that repeat another: they are kept, and found no more.
    ///
    /// - Returns: How many were marked.
    @discardableResult
    public func mark(_ report: DuplicateReport, in corpus: Int64) throws -> Int {
        let pairs = report.clusters.flatMap { cluster in
            cluster.members.map { (document: $0.label, of: cluster.representative) }
        }
        return try changeMarks(corpus) { writer, db in
            var count = 0
            for pair in pairs {
                try db.execute(
                    sql: """
                        UPDATE retrieval_document SET duplicate = ?, changed = ?
                        WHERE id = ? AND corpus = ? AND duplicate IS NULL
                        """,
                    arguments: [pair.of, Clock.nanoseconds(.wall), pair.document, corpus])
                guard db.changesCount > 0 else { continue }
                count += 1
                try writer.withdraw(chunksOf: pair.document)
            }
            return count
        }
    }

    /// Takes all marks of duplicates back: every document is found again.
    ///
    /// - Returns: How many were marked.
    @discardableResult
    public func unmarkDuplicates(of corpus: Int64) throws -> Int {
        try changeMarks(corpus) { writer, db in
            let ids = try Int64.fetchAll(
                db, sql: "SELECT id FROM retrieval_document WHERE corpus = ? AND duplicate IS NOT NULL",
                arguments: [corpus])
            for id in ids { try writer.bringBack(id) }
            try db.execute(
                sql: "UPDATE retrieval_document SET duplicate = NULL WHERE corpus = ? AND duplicate IS NOT NULL",
                arguments: [corpus])
            return ids.count
        }
    }

    /// Documents whose texts break a rule, with the reasons; nothing is changed.
    public func doubtful(
        in corpus: Int64, rules: QualityRules = .chosenDocuments, limit: Int = 1_000,
        progress: (Int, Int) -> Bool = { _, _ in true }
    ) throws -> [DoubtfulDocument] {
        let ids = try documentIDs(corpus)
        var found: [DoubtfulDocument] = []
        try forEachText(ids) { batch, done in
            for (id, text) in batch where found.count < limit {
                let report = QualityReport(of: text, rules: rules)
                guard !report.isGood, let document = try document(id) else { continue }
                found.append(DoubtfulDocument(document: document, report: report))
            }
            return found.count < limit && progress(done, ids.count)
        }
        return found
    }

    private func documentIDs(_ corpus: Int64) throws -> [Int64] {
        try workspace.read { db in
            try Int64.fetchAll(
                db, sql: "SELECT id FROM retrieval_document WHERE corpus = ? ORDER BY id", arguments: [corpus])
        }
    }

    private func forEachText(
        _ ids: [Int64], _ body: ([(label: Int64, text: String)], Int) throws -> Bool
    ) throws {
        for start in stride(from: 0, to: ids.count, by: 256) {
            let some = ids[start..<min(ids.count, start + 256)]
            let batch = try workspace.read { db in try some.map { (label: $0, text: try DocumentTexts.read($0, db)) } }
            guard try body(batch, start + some.count) else { return }
        }
    }

    private func changeMarks(_ corpus: Int64, _ body: (DocumentWriter, Database) throws -> Int) throws -> Int {
        let found = try self.corpus(corpus)
        let lexicon = try CorpusLexicon(workspace, found)
        return try workspace.write { db in
            let writer = try DocumentWriter(corpus, found.settings, try lexicon.forWriting(db), db)
            let count = try body(writer, db)
            try writer.finish()
            try lexicon.save(db)
            return count
        }
    }
}

extension DocumentWriter {
    /// Takes a document's chunks out of the indexes; the rows stay.
    func withdraw(chunksOf document: Int64) throws {
        for chunk in try CorpusStore.chunks("document = ? AND indexed = 1", document, db) {
            try withdraw(chunk.id)
            chunkDifference -= 1
        }
    }

    /// Brings a document's chunks back into the lexical index; vectors follow with the next embedding.
    func bringBack(_ document: Int64) throws {
        guard let row = try CorpusStore.document(document, db) else { return }
        let text = try DocumentTexts.read(document, db)
        for chunk in try CorpusStore.chunks("document = ? AND indexed = 1", document, db) {
            let texts = ChunkTexts(
                title: row.title, heading: chunk.heading, text: text.bytes(chunk.range),
                kind: SourceKind(rawValue: row.kind))
            try lexical.add(chunk.id, texts: texts.lexical(settings.fields))
            chunkDifference += 1
            try db.execute(sql: "DELETE FROM retrieval_retired WHERE chunk = ?", arguments: [chunk.id])
        }
    }
}
