internal import GRDB
internal import JSON
internal import Workspace

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
                arguments: [WallTime.now(), id])
            try CorpusChange.deleted(id).push(db)
        }
    }

    /// Takes back the last deletion or renaming of a corpus and says in a sentence what it did; nil where there is
    /// nothing left.
    ///
    /// The last hundred changes can be taken back, also after the workspace was closed. A corpus whose name was taken
    /// meanwhile comes back under that name with a number.
    public func undo() throws -> String? {
        try workspace.write { db in
            switch try CorpusChange.pop(db) {
            case .deleted(let id):
                guard let name = try Self.anyName(id, db) else { return "That corpus was removed for good." }
                let free = try Self.freeName(name, db)
                try db.execute(
                    sql: "UPDATE retrieval_corpus SET deleted = NULL, name = ?, revision = revision + 1 WHERE id = ?",
                    arguments: [free, id])
                return "The corpus \(free) is back."
            case .renamed(let id, let before):
                guard try Self.anyName(id, db) != nil else { return "That corpus was removed for good." }
                let free = try Self.freeName(before, db)
                try db.execute(sql: "UPDATE retrieval_corpus SET name = ? WHERE id = ?", arguments: [free, id])
                return "The corpus is called \(free) again."
            case nil: return nil
            }
        }
    }

    /// Removes deleted corpora for good, with all that is in them.
    ///
    /// - Returns: how many went.
    @discardableResult
    public func prune() throws -> Int {
        let ids = try workspace.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM retrieval_corpus WHERE deleted IS NOT NULL")
        }
        for id in ids {
            try workspace.bulkWrite { db in
                // Somebody may have brought it back meanwhile.
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

/// A change of a corpus that can be taken back, as a row of `retrieval_undo` keeps it.
private enum CorpusChange {
    case deleted(Int64)
    case renamed(Int64, before: String)

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
            }
        }
        try db.execute(sql: "INSERT INTO retrieval_undo (change) VALUES (?)", arguments: [json.text])
        try db.execute(
            sql: "DELETE FROM retrieval_undo WHERE id <= (SELECT max(id) FROM retrieval_undo) - ?",
            arguments: [Self.depth])
    }

    static func pop(_ db: Database) throws -> CorpusChange? {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, change FROM retrieval_undo ORDER BY id DESC LIMIT 1")
        else { return nil }
        let id: Int64 = row[0]
        try db.execute(sql: "DELETE FROM retrieval_undo WHERE id = ?", arguments: [id])
        let text: String = row[1]
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        return document.withRoot { root in
            if let id = root["deleted"]?.int { return .deleted(id) }
            guard let id = root["renamed"]?.int, let before = root["before"]?.string else { return nil }
            return .renamed(id, before: before)
        }
    }
}
