internal import GRDB
internal import JSON
internal import System
internal import Workspace

extension RunStore {
    /// Takes runs off every list; `undo` and `restore` bring them back until `prune`.
    ///
    /// A running run is recorded still, and comes back with what it recorded meanwhile.
    ///
    /// - Returns: the row to undo; nil if nothing was deleted.
    @discardableResult
    public func delete(_ ids: [Int64]) throws -> Int64? {
        let now = Clock.nanoseconds(.wall)
        return try workspace.write { db in
            var gone: [Int64] = []
            for id in ids {
                try db.execute(
                    sql: "UPDATE training_run SET deleted = ? WHERE id = ? AND deleted IS NULL", arguments: [now, id])
                if db.changesCount > 0 { gone.append(id) }
            }
            return gone.isEmpty ? nil : try RunChange.deleted(gone).push(db)
        }
    }

    /// Brings deleted runs back.
    public func restore(_ ids: [Int64]) throws {
        try workspace.write { db in try Self.restore(ids, db) }
    }

    /// Runs that were deleted and not yet pruned, the last deleted first.
    public func deleted(limit: Int = 1_000) throws -> [RunSummary] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT \(Self.columns) FROM training_run WHERE deleted IS NOT NULL ORDER BY deleted DESC, id DESC LIMIT ?
                """)
            row.bind(1, limit)
            return try Self.summaries(row, at: Clock.nanoseconds(.wall), db)
        }
    }

    /// Gives a run a name of its own; nil brings the recorded one back.
    ///
    /// - Returns: the row to undo; nil if the run is missing.
    @discardableResult
    public func rename(_ id: Int64, to name: String?) throws -> Int64? {
        try workspace.write { db in
            guard let before = try Self.customName(of: id, db) else { return nil }
            try Self.rename(id, to: name, db)
            return try RunChange.renamed(id, before: before, after: name).push(db)
        }
    }

    /// Undoes the last deletion or renaming and returns a sentence about it; nil if there is nothing left to undo.
    ///
    /// The last hundred changes can be undone, even after the workspace was closed.
    ///
    /// - Parameter row: the only change to undo, from `delete` or `rename`, unless the run has a newer name. nil undoes
    ///   the last change.
    public func undo(only row: Int64? = nil) throws -> String? {
        try workspace.write { db in
            switch try RunChange.pop(row, db) {
            case .deleted(let ids):
                try Self.restore(ids, db)
                return ids.count == 1 ? "Restored the run." : "Restored \(ids.count) runs."
            case .renamed(let id, let before, let after):
                if row != nil, try Self.customName(of: id, db) != after {
                    return "The run was renamed again elsewhere and keeps its newer name."
                }
                try Self.rename(id, to: before, db)
                return before.map { "Renamed the run back to \($0)." } ?? "Restored the recorded name of the run."
            case nil:
                return nil
            }
        }
    }

    /// Removes deleted runs for good; undoing ends there. A running run is left as it is.
    ///
    /// - Returns: how many runs went.
    @discardableResult
    public func prune() throws -> Int {
        let live = try Set(deleted(limit: .max).filter { $0.state.isLive && !$0.isForeign }.map(\.id))
        return try workspace.bulkWrite { db in
            let ids = try Int64.fetchAll(db, sql: "SELECT id FROM training_run WHERE deleted IS NOT NULL")
                .filter { !live.contains($0) }
            for id in ids { try Self.remove(id, db) }
            try db.execute(sql: "DELETE FROM training_undo")
            return ids.count
        }
    }

    /// Removes a run and everything of it.
    static func remove(_ id: Int64, _ db: Database) throws {
        let series = try Int64.fetchAll(db, sql: "SELECT id FROM training_series WHERE run = ?", arguments: [id])
        for series in series {
            try db.execute(sql: "DELETE FROM training_block WHERE series = ?", arguments: [series])
            try db.execute(
                sql: "DELETE FROM training_points WHERE id >= ? AND id < ?",
                arguments: [
                    SeriesBlock.key(series: series, number: 0), SeriesBlock.key(series: series + 1, number: 0),
                ])
        }
        for table in ["journal", "series", "sample", "event", "order", "follow"] {
            try db.execute(sql: "DELETE FROM training_\(table) WHERE run = ?", arguments: [id])
        }
        try db.execute(sql: "DELETE FROM training_run WHERE id = ?", arguments: [id])
    }

    private static func restore(_ ids: [Int64], _ db: Database) throws {
        for id in ids {
            try db.execute(sql: "UPDATE training_run SET deleted = NULL WHERE id = ?", arguments: [id])
        }
    }

    /// The name that the user gave; nil if the run is missing.
    private static func customName(of id: Int64, _ db: Database) throws -> String?? {
        try Row.fetchOne(db, sql: "SELECT custom_name FROM training_run WHERE id = ?", arguments: [id])
            .map { $0[0] as String? }
    }

    private static func rename(_ id: Int64, to name: String?, _ db: Database) throws {
        try db.execute(sql: "UPDATE training_run SET custom_name = ? WHERE id = ?", arguments: [name, id])
    }
}

/// A change that can be taken back, as a row of `training_undo` keeps it.
private enum RunChange {
    case deleted([Int64])
    case renamed(Int64, before: String?, after: String?)

    /// Changes further back are forgotten.
    private static let depth = 100

    func push(_ db: Database) throws -> Int64 {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .deleted(let ids): json.member("deleted", ids)
            case .renamed(let id, let before, let after):
                json.member("renamed", id)
                json.member("before", ifPresent: before)
                json.member("after", ifPresent: after)
            }
        }
        try db.execute(sql: "INSERT INTO training_undo (change) VALUES (?)", arguments: [json.text])
        let row = db.lastInsertedRowID
        try db.execute(
            sql: "DELETE FROM training_undo WHERE id <= (SELECT max(id) FROM training_undo) - ?",
            arguments: [Self.depth])
        return row
    }

    /// Removes a change, by default the last.
    static func pop(_ row: Int64?, _ db: Database) throws -> RunChange? {
        let sql =
            "DELETE FROM training_undo WHERE id = coalesce(?, (SELECT max(id) FROM training_undo)) RETURNING change"
        guard let text = try String.fetchOne(db, sql: sql, arguments: [row]) else { return nil }
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        return document.withRoot { root in
            if let ids = root["deleted"] { return .deleted(ids.elements.compactMap(\.int)) }
            if let id = root["renamed"]?.int {
                return .renamed(id, before: root["before"]?.string, after: root["after"]?.string)
            }
            return nil
        }
    }
}
