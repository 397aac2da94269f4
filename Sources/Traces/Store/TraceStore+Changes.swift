import GRDB
import Glibc
import JSON
import Workspace

extension TraceStore {
    /// Takes runs off every list; `undo` and `restore` bring them back until `prune`.
    public func delete(_ ids: [Int64]) throws {
        try workspace.write { db in
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let statement = try Statement(db, "UPDATE trace SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL")
            var changed: [Int64] = []
            for id in ids {
                statement.bind(1, Int64(now.tv_sec))
                statement.bind(2, id)
                try statement.run()
                if db.changedRows > 0 { changed.append(id) }
            }
            if !changed.isEmpty { try TraceUndo.delete(changed).push(db) }
        }
    }

    /// Brings deleted runs back.
    public func restore(_ ids: [Int64]) throws {
        try workspace.write { db in
            try Self.restore(ids, db)
        }
    }

    /// The runs that were deleted and not yet pruned, the last deleted first.
    public func deleted(limit: Int = 1_000) throws -> [TraceSummary] {
        try workspace.read { db in
            let row = try Statement(
                db,
                """
                SELECT \(TraceRowReader.summaryColumns) FROM trace t
                WHERE t.deleted_at IS NOT NULL ORDER BY t.deleted_at DESC, t.id DESC LIMIT ?
                """)
            row.bind(1, limit)
            var reader = try TraceRowReader(db)
            var found: [TraceSummary] = []
            while try row.step() { found.append(try reader.summary(row)) }
            return found
        }
    }

    /// Gives a run a name of its own; nil brings the recorded one back. Importing more of the run keeps it.
    public func rename(_ id: Int64, to name: String?) throws {
        try workspace.write { db in
            let old = try Statement(db, "SELECT custom_name FROM trace WHERE id = ?")
            old.bind(1, id)
            guard let before = try old.first({ $0.optionalText(0) }) else { return }
            try Self.rename(id, to: name, db)
            try TraceUndo.rename(id, before: before).push(db)
        }
    }

    /// Sets the name and note of a run without an undo entry, for programs that fill a workspace.
    public func describe(_ id: Int64, name: String, note: String) throws {
        try workspace.write { db in
            try Self.rename(id, to: name, db)
            let statement = try Statement(db, "UPDATE trace SET note = ? WHERE id = ?")
            statement.bind(1, note)
            statement.bind(2, id)
            try statement.run()
        }
    }

    /// Takes back the last deletion or renaming and says in a sentence what it did; nil where there is nothing left.
    ///
    /// The last hundred changes can be taken back, also after the workspace was closed.
    public func undo() throws -> String? {
        try workspace.write { db in
            guard let change = try TraceUndo.pop(db) else { return nil }
            switch change {
            case .delete(let ids):
                try Self.restore(ids, db)
                return ids.count == 1 ? "The run is back." : "\(ids.count) runs are back."
            case .rename(let id, let before):
                try Self.rename(id, to: before, db)
                return before.map { "The run is called \($0) again." } ?? "The run has its recorded name again."
            }
        }
    }

    /// Removes deleted runs for good, with the sources that no other run was read from; undoing ends there.
    ///
    /// The pages they took are used again by later imports; `VACUUM` gives them back to the disk.
    ///
    /// - Returns: how many runs and sources went.
    @discardableResult
    public func prune() throws -> (runs: Int, sources: Int) {
        try workspace.bulkWrite { db in
            let gone = "(SELECT id FROM trace WHERE deleted_at IS NOT NULL)"
            let touched = "(SELECT source FROM trace_source WHERE trace IN \(gone))"
            try db.run("CREATE TEMP TABLE pruned AS SELECT id FROM source WHERE id IN \(touched)")
            for table in ["span", "message", "event", "mark", "text_document", "trace_source"] {
                try db.run("DELETE FROM \(table) WHERE trace IN \(gone)")
            }
            try db.run("DELETE FROM trace WHERE deleted_at IS NOT NULL")
            let runs = db.changedRows
            try db.run("DELETE FROM pruned WHERE id IN (SELECT source FROM trace_source)")
            let sources = try Statement(db, "SELECT id FROM pruned")
            var ids: [Int64] = []
            try sources.forEach { ids.append($0.int64(0)) }
            for id in ids {
                let first = SourceBlocks.key(source: id, number: 0)
                try db.run(
                    "DELETE FROM source_block WHERE id >= ? AND id < ?", .integer(first),
                    .integer(first + Int64(SourceBlocks.mostBlocks)))
                try db.run("DELETE FROM source WHERE id = ?", .integer(id))
            }
            try db.run("DROP TABLE pruned")
            try db.run("DELETE FROM trace_undo")
            return (runs, ids.count)
        }
    }

    private static func restore(_ ids: [Int64], _ db: Database) throws {
        let statement = try Statement(db, "UPDATE trace SET deleted_at = NULL WHERE id = ?")
        for id in ids {
            statement.bind(1, id)
            try statement.run()
        }
    }

    private static func rename(_ id: Int64, to name: String?, _ db: Database) throws {
        let statement = try Statement(db, "UPDATE trace SET custom_name = ? WHERE id = ?")
        statement.bind(1, name)
        statement.bind(2, id)
        try statement.run()
    }
}

/// A change that can be taken back, as a row of `trace_undo` keeps it.
private enum TraceUndo {
    case delete([Int64])
    case rename(Int64, before: String?)

    /// Changes further back are forgotten.
    private static let depth = 100

    func push(_ db: Database) throws {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .delete(let ids): json.member("delete", ids)
            case .rename(let id, let before):
                json.member("rename", id)
                json.member("before", ifPresent: before)
            }
        }
        try db.run("INSERT INTO trace_undo (change) VALUES (?)", .text(json.text))
        try db.run(
            "DELETE FROM trace_undo WHERE id <= (SELECT max(id) FROM trace_undo) - ?", .integer(Int64(Self.depth)))
    }

    static func pop(_ db: Database) throws -> TraceUndo? {
        let last = try Statement(
            db, "DELETE FROM trace_undo WHERE id = (SELECT max(id) FROM trace_undo) RETURNING change")
        guard let text = try last.first({ $0.text(0) }), let document = try? JSONDocument(parsing: text) else {
            return nil
        }
        return document.withRoot { root in
            if let ids = root["delete"] { return .delete(ids.elements.compactMap(\.int)) }
            if let id = root["rename"]?.int { return .rename(id, before: root["before"]?.string) }
            return nil
        }
    }
}
