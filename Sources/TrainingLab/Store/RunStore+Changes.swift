internal import GRDB
internal import JSON
internal import Workspace

extension RunStore {
    /// Takes runs off every list; `undo` and `restore` bring them back until `prune`.
    ///
    /// A running run is recorded still, and comes back with what it recorded meanwhile.
    public func delete(_ ids: [Int64]) throws {
        let now = WallClock.now()
        try workspace.write { db in
            var gone: [Int64] = []
            for id in ids {
                try db.execute(
                    sql: "UPDATE training_run SET deleted = ? WHERE id = ? AND deleted IS NULL", arguments: [now, id])
                if db.changesCount > 0 { gone.append(id) }
            }
            if !gone.isEmpty { try RunChange.deleted(gone).push(db) }
        }
    }

    /// Brings deleted runs back.
    public func restore(_ ids: [Int64]) throws {
        try workspace.write { db in try Self.restore(ids, db) }
    }

    /// Runs that were deleted and not yet pruned, the last deleted first.
    public func deleted(limit: Int = 1_000) throws -> [RunSummary] {
        try workspace.read { db in
            let row = try Statement(
                db,
                """
                SELECT \(Self.columns) FROM training_run WHERE deleted IS NOT NULL ORDER BY deleted DESC, id DESC LIMIT ?
                """)
            row.bind(1, limit)
            return try Self.summaries(row, at: WallClock.now(), db)
        }
    }

    /// Gives a run a name of its own; nil brings the recorded one back.
    public func rename(_ id: Int64, to name: String?) throws {
        try workspace.write { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT custom_name FROM training_run WHERE id = ?", arguments: [id])
            else { return }
            let before: String? = row[0]
            try Self.rename(id, to: name, db)
            try RunChange.renamed(id, before: before).push(db)
        }
    }

    /// Takes back the last deletion or renaming and says in a sentence what it did; nil where there is nothing left.
    ///
    /// The last hundred changes can be taken back, also after the workspace was closed.
    public func undo() throws -> String? {
        try workspace.write { db in
            switch try RunChange.pop(db) {
            case .deleted(let ids):
                try Self.restore(ids, db)
                return ids.count == 1 ? "The run is back." : "\(ids.count) runs are back."
            case .renamed(let id, let before):
                try Self.rename(id, to: before, db)
                return before.map { "The run is called \($0) again." } ?? "The run has its recorded name again."
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

    private static func rename(_ id: Int64, to name: String?, _ db: Database) throws {
        try db.execute(sql: "UPDATE training_run SET custom_name = ? WHERE id = ?", arguments: [name, id])
    }
}

/// A change that can be taken back, as a row of `training_undo` keeps it.
private enum RunChange {
    case deleted([Int64])
    case renamed(Int64, before: String?)

    /// Changes further back are forgotten.
    private static let depth = 100

    func push(_ db: Database) throws {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .deleted(let ids): json.member("deleted", ids)
            case .renamed(let id, let before):
                json.member("renamed", id)
                json.member("before", ifPresent: before)
            }
        }
        try db.execute(sql: "INSERT INTO training_undo (change) VALUES (?)", arguments: [json.text])
        try db.execute(
            sql: "DELETE FROM training_undo WHERE id <= (SELECT max(id) FROM training_undo) - ?",
            arguments: [Self.depth])
    }

    static func pop(_ db: Database) throws -> RunChange? {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT id, change FROM training_undo ORDER BY id DESC LIMIT 1")
        else { return nil }
        let id: Int64 = row[0]
        try db.execute(sql: "DELETE FROM training_undo WHERE id = ?", arguments: [id])
        let text: String = row[1]
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        return document.withRoot { root in
            if let ids = root["deleted"] { return .deleted(ids.elements.compactMap(\.int)) }
            if let id = root["renamed"]?.int { return .renamed(id, before: root["before"]?.string) }
            return nil
        }
    }
}
