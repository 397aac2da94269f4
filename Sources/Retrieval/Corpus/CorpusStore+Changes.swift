internal import GRDB
internal import JSON
internal import System
public import Workspace

extension CorpusStore {
    /// Gives a corpus another name; ``undo()`` takes that back.
    public func rename(_ id: Int64, to name: String) throws {
        try Self.checkName(name)
        try workspace.write { db in
            let before = try Self.corpus(id, db).name
            guard before != name else { return }
            try Self.refuseTaken(name, db)
            try db.execute(sql: "UPDATE retrieval_corpus SET name = ? WHERE id = ?", arguments: [name, id])
            try CorpusChange.renamed(id, before: before).push(db)
        }
    }

    /// Takes a corpus off every list; ``undo()`` brings it back until ``prune()``.
    public func delete(_ id: Int64) throws {
        try workspace.write { db in
            _ = try Self.corpus(id, db)
            try db.execute(
                sql: "UPDATE retrieval_corpus SET deleted = ?, revision = revision + 1 WHERE id = ?",
                arguments: [Clock.nanoseconds(.wall), id])
            try CorpusChange.deleted(id).push(db)
        }
    }

    /// Undoes the last change: an add or removal of documents, or a deletion or renaming of a corpus.
    ///
    /// The last hundred changes can be undone, and among them the last twenty adds and removals, even after the
    /// workspace was closed. If the name of a restored corpus is taken, the corpus gets a number after its name.
    /// - Returns: A sentence about the undone change; `nil` if nothing is left to undo.
    public func undo() throws -> String? { try undoChange()?.sentence }

    /// Undoes the last change as ``undo()`` does, and returns the changed corpus.
    ///
    /// - Parameter row: Row of the only change to undo; `nil` undoes whatever is last.
    /// - Throws: `Problem` if the last change is not in `row`.
    public func undoChange(only row: Int64? = nil, until cancellation: Cancellation? = nil) throws -> UndoneChange? {
        func check(_ last: (row: Int64, change: CorpusChange?)?) throws(Problem) {
            guard let row, last?.row != row else { return }
            throw Problem(.invalid, "", "another change was made in the meantime", remedy: "Nothing was undone.")
        }
        let last = try workspace.read { db in try CorpusChange.last(db) }
        try check(last)
        guard let last else { return nil }
        if case .edited(let edit)? = last.change, let undo = try EditUndo(self, edit: edit, change: last.row) {
            return try undo.run(until: cancellation)
        }
        return try workspace.write { db in
            // Another process may have undone the change already.
            let last = try CorpusChange.last(db)
            try check(last)
            guard let last else { return nil }
            try CorpusChange.drop(last.row, db)
            return try Self.undo(last.change, db)
        }
    }

    /// Returns the next change to undo; `nil` if there is none.
    public func lastChange() throws -> UndoableChange? {
        try workspace.read { db in
            guard let last = try CorpusChange.last(db) else { return nil }
            func change(_ phrase: String?, edit: Int64? = nil, fresh: String? = nil) -> UndoableChange? {
                phrase.map { UndoableChange(row: last.row, edit: edit, phrase: $0, createdCorpus: fresh) }
            }
            switch last.change {
            case .deleted(let id): return change(try Self.anyName(id, db).map { "deleting \($0)" })
            case .renamed(let id, let before):
                return change(try Self.anyName(id, db).map { "renaming \(before) to \($0)" })
            case .edited(let id):
                let fresh = try String.fetchOne(
                    db,
                    sql: """
                        SELECT c.name FROM retrieval_edit e JOIN retrieval_corpus c ON c.id = e.corpus
                        WHERE e.id = ? AND e.kind = 'add' AND e.fresh
                        """, arguments: [id])
                return change(try EditUndo.phrase(id, db), edit: id, fresh: fresh)
            case nil: return nil
            }
        }
    }

    private static func undo(_ change: CorpusChange?, _ db: Database) throws -> UndoneChange {
        switch change {
        case .deleted(let id):
            guard let name = try anyName(id, db) else { return .final }
            let free = try freeName(name, db)
            try db.execute(
                sql: "UPDATE retrieval_corpus SET deleted = NULL, name = ?, revision = revision + 1 WHERE id = ?",
                arguments: [free, id])
            return UndoneChange(sentence: "Restored the corpus \(free).", corpus: id)
        case .renamed(let id, let before):
            guard try anyName(id, db) != nil else { return .final }
            let free = try freeName(before, db)
            try db.execute(sql: "UPDATE retrieval_corpus SET name = ? WHERE id = ?", arguments: [free, id])
            return UndoneChange(sentence: "Renamed the corpus back to \(free).", corpus: id)
        case .edited, nil:
            return UndoneChange(sentence: "That change can no longer be undone.", corpus: nil)
        }
    }

    /// Removes deleted corpora with their contents for good, and the records needed to undo adds and removals.
    ///
    /// - Returns: How many went.
    @discardableResult
    public func prune() throws -> Int {
        let ids = try workspace.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM retrieval_corpus WHERE deleted IS NOT NULL")
        }
        for id in ids {
            try workspace.bulkWrite { db in
                // Another process may have restored the corpus in the meantime.
                let gone = try Bool.fetchOne(
                    db, sql: "SELECT deleted IS NOT NULL FROM retrieval_corpus WHERE id = ?", arguments: [id])
                guard gone == true else { return }
                for index in try Int64.fetchAll(
                    db, sql: "SELECT id FROM retrieval_index WHERE corpus = ?", arguments: [id])
                {
                    try WorkspaceSegments.removeIndex(index, db)
                }
                // Children first: foreign keys would find them one parent at a time.
                let documents = "(SELECT id FROM retrieval_document WHERE corpus = \(id))"
                for table in ["metadata", "text", "chunk"] {
                    try db.execute(sql: "DELETE FROM retrieval_\(table) WHERE document IN \(documents)")
                }
                for table in ["document", "source", "index", "report"] {
                    try db.execute(sql: "DELETE FROM retrieval_\(table) WHERE corpus = ?", arguments: [id])
                }
                try db.execute(sql: "DELETE FROM retrieval_corpus WHERE id = ?", arguments: [id])
            }
        }
        try workspace.bulkWrite { db in try db.execute(sql: "DELETE FROM retrieval_edit") }
        return ids.count
    }

    private static func anyName(_ id: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT name FROM retrieval_corpus WHERE id = ?", arguments: [id])
    }

    private static func freeName(_ name: String, _ db: Database) throws -> String {
        var free = name
        var number = 2
        while try Int64.fetchOne(
            db, sql: "SELECT id FROM retrieval_corpus WHERE name = ? AND deleted IS NULL", arguments: [free]) != nil
        {
            free = "\(name) \(number)"
            number += 1
        }
        return free
    }
}

/// The result of ``CorpusStore/undoChange(until:)``.
public struct UndoneChange: Hashable, Sendable {
    /// Sentence that reports what was undone and what could not be undone.
    public var sentence: String
    /// The changed corpus; `nil` if it is gone.
    public var corpus: Int64?

    fileprivate static let final = UndoneChange(sentence: "That corpus was permanently deleted.", corpus: nil)
}

/// The last change of the corpora, which ``CorpusStore/undo()`` reverts.
public struct UndoableChange: Hashable, Sendable {
    /// Row in the undo stack.
    public var row: Int64
    /// Row of the edit, for an add or removal of documents.
    public var edit: Int64?
    /// `adding docs to manuals`.
    public var phrase: String
    /// The corpus that the change filled first, and that undoing it deletes if nothing else was added.
    public var createdCorpus: String?
}

/// A change that can be undone, as a row of `retrieval_undo` stores it.
enum CorpusChange {
    case deleted(Int64)
    case renamed(Int64, before: String)
    /// Documents were added or removed: a row of `retrieval_edit`.
    case edited(Int64)

    /// Changes further back are forgotten.
    private static let depth = 100

    func push(_ db: Database) throws {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .deleted(let id): json.member("deleted", id)
            case .renamed(let id, let before):
                json.member("renamed", id)
                json.member("before", before)
            case .edited(let id): json.member("edited", id)
            }
        }
        try db.execute(sql: "INSERT INTO retrieval_undo (change) VALUES (?)", arguments: [json.text])
        try db.execute(
            sql: "DELETE FROM retrieval_undo WHERE id <= (SELECT max(id) FROM retrieval_undo) - ?",
            arguments: [Self.depth])
    }

    /// Returns the last change with its row, or `nil`. The change alone is `nil` if a later version wrote it.
    static func last(_ db: Database) throws -> (row: Int64, change: CorpusChange?)? {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, change FROM retrieval_undo ORDER BY id DESC LIMIT 1")
        else { return nil }
        // Failure is harmless: only a later version writes a change that this one cannot read.
        guard let document = try? JSONDocument(parsing: row[1] as String) else { return (row[0], nil) }
        let change = document.withRoot { root -> CorpusChange? in
            if let id = root["deleted"]?.int { return .deleted(id) }
            if let id = root["edited"]?.int { return .edited(id) }
            guard let id = root["renamed"]?.int, let before = root["before"]?.string else { return nil }
            return .renamed(id, before: before)
        }
        return (row[0], change)
    }

    static func drop(_ row: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM retrieval_undo WHERE id = ?", arguments: [row])
    }
}
