internal import GRDB
internal import System
internal import Workspace

/// Undoes one add or removal. Added documents are removed, and changed or removed documents come back with their old
/// rows and those of their chunks.
///
/// Works in transactions of a few hundred documents. If it is interrupted, the next undo continues it.
final class EditUndo {
    private let store: CorpusStore
    private let corpus: Corpus
    private let edit: Int64
    /// Row of the change in the undo stack.
    private let change: Int64
    private let kind: EditJournal.Kind
    private let subject: String
    private let isFresh: Bool
    private let lexical: CorpusLexicon

    private var removed = 0
    private var restored = 0
    private var problems: [String] = []

    /// Documents per transaction.
    private static let batch = 200

    /// - Returns: Nil if the edit no longer exists.
    init?(_ store: CorpusStore, edit: Int64, change: Int64) throws {
        let row = try store.workspace.read { db in
            try Row.fetchOne(
                db, sql: "SELECT corpus, kind, subject, fresh FROM retrieval_edit WHERE id = ?", arguments: [edit])
        }
        guard let row, let kind = EditJournal.Kind(rawValue: row[1]) else { return nil }
        self.store = store
        self.edit = edit
        self.change = change
        self.kind = kind
        corpus = try store.corpus(row[0])
        subject = row[2]
        isFresh = row[3]
        lexical = try CorpusLexicon(store.workspace, corpus)
    }

    /// `adding docs to manuals`; `nil` if the edit no longer exists.
    static func phrase(_ edit: Int64, _ db: Database) throws -> String? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT e.kind, e.subject, c.name FROM retrieval_edit e JOIN retrieval_corpus c ON c.id = e.corpus
                WHERE e.id = ?
                """, arguments: [edit])
        guard let row, let kind = EditJournal.Kind(rawValue: row[0]) else { return nil }
        let (subject, corpus): (String, String) = (row[1], row[2])
        return kind == .add ? "adding \(subject) to \(corpus)" : "removing \(subject) from \(corpus)"
    }

    /// - Returns: A sentence about what was undone, and what could not be.
    func run(until cancellation: Cancellation?) throws -> UndoneChange {
        while try step({ try removeAdded($0, $1) }) { try cancellation?.check() }
        while try step({ try restoreFormer($0, $1) }) { try cancellation?.check() }
        let isGone = try store.workspace.write { db in
            let isEmpty = try Bool.fetchOne(
                db, sql: "SELECT NOT EXISTS (SELECT 1 FROM retrieval_document WHERE corpus = ?)",
                arguments: [corpus.id])
            let isGone = kind == .add && isFresh && isEmpty == true
            if isGone {
                // The add created the corpus.
                try db.execute(
                    sql: "UPDATE retrieval_corpus SET deleted = ?, revision = revision + 1 WHERE id = ?",
                    arguments: [Clock.nanoseconds(.wall), corpus.id])
            }
            try db.execute(sql: "DELETE FROM retrieval_edit WHERE id = ?", arguments: [edit])
            try CorpusChange.drop(change, db)
            return isGone
        }
        return UndoneChange(sentence: sentence(isGone: isGone), corpus: isGone ? nil : corpus.id)
    }

    private func sentence(isGone: Bool) -> String {
        let action = kind == .add ? "adding \(subject)" : "removing \(subject)"
        let counts = [
            removed > 0 ? "\(Self.documents(removed)) removed" : nil,
            restored > 0 ? "\(Self.documents(restored)) restored" : nil,
            isGone ? "the corpus was empty before, so it was deleted" : nil,
        ].compactMap(\.self)
        let done = counts.isEmpty ? "no changes were needed" : counts.joined(separator: ", ")
        return (["\(corpus.name): undid \(action): \(done)."] + problems).joined(separator: " ")
    }

    static func documents(_ count: Int) -> String { count == 1 ? "1 document" : "\(count) documents" }

    /// Runs one transaction that changes documents and the lexical index.
    private func step(_ body: (DocumentWriter, Database) throws -> Bool) throws -> Bool {
        let goesOn: Bool
        do {
            goesOn = try store.workspace.write { db in
                let writer = try DocumentWriter(corpus.id, corpus.settings, try lexical.forWriting(db), db)
                guard try body(writer, db) else { return false }
                try writer.finish()
                try lexical.save(db)
                return true
            }
        } catch {
            lexical.forget()
            throw error
        }
        if goesOn { try lexical.committed() } else { lexical.forget() }
        return goesOn
    }

    // MARK: Documents that were added

    private func removeAdded(_ writer: DocumentWriter, _ db: Database) throws -> Bool {
        guard
            let range = try Row.fetchOne(
                db, sql: "SELECT first, last FROM retrieval_edit_added WHERE edit = ? ORDER BY first DESC LIMIT 1",
                arguments: [edit])
        else { return false }
        let (first, last): (Int64, Int64) = (range[0], range[1])
        let documents = try Row.fetchAll(
            db,
            sql: """
                SELECT id, source FROM retrieval_document WHERE corpus = ? AND id BETWEEN ? AND ?
                ORDER BY id DESC LIMIT ?
                """, arguments: [corpus.id, first, last, Self.batch]
        ).map { (id: $0[0] as Int64, source: $0[1] as Int64?) }
        for document in documents { try writer.remove(document.id) }
        for source in Set(documents.compactMap(\.source)) {
            try db.execute(
                sql: """
                    DELETE FROM retrieval_source WHERE id = ?1
                        AND NOT EXISTS (SELECT 1 FROM retrieval_document WHERE source = ?1)
                    """, arguments: [source])
        }
        removed += documents.count
        if documents.count == Self.batch, let lowest = documents.last?.id, lowest > first {
            try db.execute(
                sql: "UPDATE retrieval_edit_added SET last = ? WHERE edit = ? AND first = ?",
                arguments: [lowest - 1, edit, first])
        } else {
            try db.execute(
                sql: "DELETE FROM retrieval_edit_added WHERE edit = ? AND first = ?", arguments: [edit, first])
        }
        return true
    }

    // MARK: Documents that were there before

    private func restoreFormer(_ writer: DocumentWriter, _ db: Database) throws -> Bool {
        let documents = try Row.fetchAll(
            db, sql: "SELECT id, name FROM retrieval_former_document WHERE edit = ? ORDER BY id LIMIT ?",
            arguments: [edit, Self.batch]
        ).map { (id: $0[0] as Int64, name: $0[1] as String) }
        guard !documents.isEmpty else { return false }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO retrieval_source
                    (id, corpus, namespace, path, root, size, modified, digest, settings, whole)
                SELECT id, corpus, namespace, path, root, size, modified, digest, settings, whole
                FROM retrieval_former_source WHERE edit = ?
                """, arguments: [edit])
        for document in documents {
            switch try writer.restore(document.id, from: edit) {
            case .restored: restored += 1
            case .removedSince:
                problems.append("\(document.name) stays removed, because it was removed again later.")
            case .nameTaken:
                problems.append("\(document.name) could not be restored: another document now has its name.")
            }
            for table in ["text", "chunk", "metadata"] {
                try db.execute(
                    sql: "DELETE FROM retrieval_former_\(table) WHERE edit = ? AND document = ?",
                    arguments: [edit, document.id])
            }
            try db.execute(
                sql: "DELETE FROM retrieval_former_document WHERE edit = ? AND id = ?",
                arguments: [edit, document.id])
        }
        return true
    }
}
