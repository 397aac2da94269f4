internal import Configuration
import GRDB
import Glibc
import JSON
import System
import Workspace

extension TraceStore {
    /// Takes runs off every list; `undo` and `restore` bring them back until `prune`.
    ///
    /// - Returns: The row to undo; `nil` if nothing was deleted.
    @discardableResult
    public func delete(_ ids: [Int64]) throws -> Int64? {
        try workspace.write { db in
            let now = Clock.time(.wall)
            let statement = try Workspace.Statement(
                db, "UPDATE trace SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL")
            var changed: [Int64] = []
            for id in ids {
                statement.bind(1, Int64(now.tv_sec))
                statement.bind(2, id)
                try statement.run()
                if db.changedRows > 0 { changed.append(id) }
            }
            return changed.isEmpty ? nil : try TraceUndo.delete(changed).push(db)
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
            let row = try Workspace.Statement(
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

    /// Gives a run a name of its own; `nil` brings the recorded one back. Importing more of the run keeps it.
    ///
    /// - Returns: The row to undo; `nil` if the run is missing.
    @discardableResult
    public func rename(_ id: Int64, to name: String?) throws -> Int64? {
        try workspace.write { db in
            guard let before = try Self.customName(of: id, db) else { return nil }
            try Self.rename(id, to: name, db)
            return try TraceUndo.rename(id, before: before, after: name).push(db)
        }
    }

    /// Sets the name and note of a run without an undo entry, for programs that fill a workspace.
    public func describe(_ id: Int64, name: String, note: String) throws {
        try workspace.write { db in
            try Self.rename(id, to: name, db)
            let statement = try Workspace.Statement(db, "UPDATE trace SET note = ? WHERE id = ?")
            statement.bind(1, note)
            statement.bind(2, id)
            try statement.run()
        }
    }

    /// Undoes the last deletion or renaming and returns a sentence about it; `nil` if there is nothing left to undo.
    ///
    /// The last hundred changes can be undone, even after the workspace was closed.
    ///
    /// - Parameter row: The only change to undo, from `delete` or `rename`, unless the run has a newer name. `nil`
    ///   undoes the last change.
    public func undo(only row: Int64? = nil) throws -> String? {
        try workspace.write { db in
            guard let change = try TraceUndo.pop(row, db) else { return nil }
            switch change {
            case .delete(let ids):
                try Self.restore(ids, db)
                return ids.count == 1 ? "Restored the run." : "Restored \(ids.count) runs."
            case .rename(let id, let before, let after):
                if row != nil, try Self.customName(of: id, db) != after {
                    return "The run has since been renamed elsewhere and keeps its newer name."
                }
                try Self.rename(id, to: before, db)
                return before.map { "Restored the name \($0)." } ?? "Restored the recorded name."
            }
        }
    }

    /// Removes deleted runs for good, with the sources that no other run was read from; undoing ends there.
    ///
    /// The pages they took are used again by later imports; `VACUUM` gives them back to the disk.
    ///
    /// - Returns: Numbers of deleted runs and sources.
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
            let sources = try Workspace.Statement(db, "SELECT id FROM pruned")
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
        let statement = try Workspace.Statement(db, "UPDATE trace SET deleted_at = NULL WHERE id = ?")
        for id in ids {
            statement.bind(1, id)
            try statement.run()
        }
    }

    /// The name that the user gave; `nil` if the run is missing.
    private static func customName(of id: Int64, _ db: Database) throws -> String?? {
        let statement = try Workspace.Statement(db, "SELECT custom_name FROM trace WHERE id = ?")
        statement.bind(1, id)
        return try statement.first { $0.optionalText(0) }
    }

    private static func rename(_ id: Int64, to name: String?, _ db: Database) throws {
        let statement = try Workspace.Statement(db, "UPDATE trace SET custom_name = ? WHERE id = ?")
        statement.bind(1, name)
        statement.bind(2, id)
        try statement.run()
    }
}

/// A change that can be taken back, as a row of `trace_undo` keeps it.
private enum TraceUndo {
    case delete([Int64])
    case rename(Int64, before: String?, after: String?)

    /// Changes further back are forgotten.
    private static let depth = 100

    func push(_ db: Database) throws -> Int64 {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .delete(let ids): json.member("delete", ids)
            case .rename(let id, let before, let after):
                json.member("rename", id)
                json.member("before", ifPresent: before)
                json.member("after", ifPresent: after)
            }
        }
        try db.run("INSERT INTO trace_undo (change) VALUES (?)", .text(json.text))
        let row = db.lastInsertedRowID
        try db.run(
            "DELETE FROM trace_undo WHERE id <= (SELECT max(id) FROM trace_undo) - ?", .integer(Int64(Self.depth)))
        return row
    }

    /// Removes a change, by default the last.
    static func pop(_ row: Int64?, _ db: Database) throws -> TraceUndo? {
        let last = try Workspace.Statement(
            db, "DELETE FROM trace_undo WHERE id = coalesce(?, (SELECT max(id) FROM trace_undo)) RETURNING change")
        last.bind(1, row)
        guard let text = try last.first({ $0.text(0) }), let document = try? JSONDocument(parsing: text) else {
            return nil
        }
        return document.withRoot { root in
            if let ids = root["delete"] { return .delete(ids.elements.compactMap(\.int)) }
            if let id = root["rename"]?.int {
                return .rename(id, before: root["before"]?.string, after: root["after"]?.string)
            }
            return nil
        }
    }
}
