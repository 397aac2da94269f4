internal import GRDB
internal import JSON
internal import System
internal import Workspace

/// Records the changes of an add or removal for undo, within the same transactions.
///
/// The first change inserts a row of `retrieval_edit` and pushes it on the stack of ``CorpusStore/undo()``. If an
/// interrupted or canceled add is repeated with the same paths, it continues its row.
final class EditJournal {
    enum Kind: String {
        case add, remove
    }

    private let corpus: Int64
    private let kind: Kind
    /// Name of the added or removed files, for sentences.
    private let subject: String
    private let paths: String
    /// The edit's row: `known` once committed, `open` within the current transaction.
    private(set) var known: Int64?
    private var open: Int64?
    /// Rows of the documents added by this edit.
    private var ranges: [(first: Int64, last: Int64)] = []

    init(_ corpus: Int64, _ kind: Kind, of subjects: [String], paths: [String] = []) {
        self.corpus = corpus
        self.kind = kind
        let last = subjects.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
        subject = subjects.count > 1 ? "\(last) and \(subjects.count - 1) more" : last
        var json = JSONWriter()
        json.value(paths)
        self.paths = json.text
    }

    // MARK: Noting

    /// Records a new document.
    func added(_ document: Int64, _ db: Database) throws {
        _ = try row(db, adding: document)
        if let last = ranges.last, last.last == document - 1 {
            ranges[ranges.count - 1].last = document
        } else {
            ranges.append((document, document))
        }
    }

    /// Records a document before it is changed or removed (`gone`).
    func keep(_ document: Int64, gone: Bool, _ db: Database) throws {
        let edit = try row(db)
        // A document added by this edit has no earlier state to restore.
        if ranges.contains(where: { ($0.first...$0.last).contains(document) }) { return }
        let isOwn = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM retrieval_edit_added WHERE edit = ?1 AND ?2 BETWEEN first AND last)",
            arguments: [edit, document])
        if isOwn == true { return }
        // The first recorded state counts, but a later removal still marks the document as gone.
        try db.execute(
            sql: """
                INSERT INTO retrieval_former_document
                SELECT ?1, ?3, id, corpus, namespace, name, source, path, digest, title, kind, language, bytes, chunks,
                    added, changed, duplicate
                FROM retrieval_document WHERE id = ?2
                ON CONFLICT DO UPDATE SET gone = max(gone, excluded.gone)
                """, arguments: [edit, document, gone])
        for (table, columns) in [
            ("text", "document, part, bytes, data"),
            ("chunk", "document, id, ordinal, first, beyond, parent, indexed, heading, digest"),
            ("metadata", "corpus, document, key, place, type, number, text"),
        ] {
            let isKept = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM retrieval_former_\(table) WHERE edit = ? AND document = ?)",
                arguments: [edit, document])
            if isKept == true { continue }
            try db.execute(
                sql: """
                    INSERT INTO retrieval_former_\(table) SELECT ?, \(columns) FROM retrieval_\(table)
                    WHERE document = ?
                    """, arguments: [edit, document])
        }
    }

    /// Records a source before it is removed.
    func keep(source: Int64, _ db: Database) throws {
        let edit = try row(db)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO retrieval_former_source
                SELECT ?, id, corpus, namespace, path, root, size, modified, digest, settings, whole
                FROM retrieval_source WHERE id = ?
                """, arguments: [edit, source])
    }

    // MARK: Transactions

    /// Writes the added documents of the transaction.
    func finish(_ db: Database) throws {
        guard let edit = open ?? known else { return }
        for range in ranges {
            try db.execute(
                sql: "UPDATE retrieval_edit_added SET last = ? WHERE edit = ? AND last = ? - 1",
                arguments: [range.last, edit, range.first])
            if db.changesCount > 0 { continue }
            try db.execute(
                sql: "INSERT INTO retrieval_edit_added (edit, first, last) VALUES (?, ?, ?)",
                arguments: [edit, range.first, range.last])
        }
    }

    func committed() {
        known = open ?? known
        open = nil
        ranges = []
    }

    func forget() {
        open = nil
        ranges = []
    }

    /// Ends the edit after all paths are read; adding the same paths again is a new edit.
    func end(_ db: Database) throws {
        guard let known else { return }
        try db.execute(sql: "UPDATE retrieval_edit SET ended = 1 WHERE id = ?", arguments: [known])
    }

    /// - Parameter document: A document just added, which does not count as an earlier content of the corpus.
    private func row(_ db: Database, adding document: Int64? = nil) throws -> Int64 {
        if let row = open ?? known { return row }
        let row = try continued(db) ?? made(db, adding: document)
        open = row
        return row
    }

    /// Returns the unfinished edit of the same add, if it is the last change.
    private func continued(_ db: Database) throws -> Int64? {
        guard kind == .add, case .edited(let last)? = try CorpusChange.last(db)?.change else { return nil }
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM retrieval_edit WHERE id = ? AND corpus = ? AND kind = ? AND paths = ? AND ended = 0
                """, arguments: [last, corpus, kind.rawValue, paths])
    }

    /// Edits beyond this number are dropped, since they may hold many documents.
    private static let depth = 20

    private func made(_ db: Database, adding document: Int64?) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO retrieval_edit (corpus, kind, subject, paths, created, fresh, ended)
                VALUES (?1, ?2, ?3, ?4, ?5,
                    NOT EXISTS (SELECT 1 FROM retrieval_document WHERE corpus = ?1 AND id IS NOT ?7), ?6)
                """,
            arguments: [corpus, kind.rawValue, subject, paths, Clock.nanoseconds(.wall), kind == .remove, document])
        let row = db.lastInsertedRowID
        try db.execute(sql: "DELETE FROM retrieval_edit WHERE id <= ?", arguments: [row - Int64(Self.depth)])
        try CorpusChange.edited(row).push(db)
        return row
    }
}
