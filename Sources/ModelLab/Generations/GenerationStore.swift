internal import GRDB
internal import JSON
public import Workspace

/// Sessions and their answers in a workspace. A value of this type may be used from any thread.
public struct GenerationStore: Sendable {
    public let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Sessions

    /// Returns the sessions that are not deleted, the most recently changed first.
    public func sessions(limit: Int = 1_000) throws -> [Session] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.*, (SELECT count(*) FROM model_generation g WHERE g.session = s.id AND g.deleted IS NULL)
                    AS generations FROM model_session s WHERE s.deleted IS NULL ORDER BY changed DESC, id DESC LIMIT ?
                    """, arguments: [limit]
            ).map(Self.session)
        }
    }

    /// Returns a session by its row; `nil` if it does not exist.
    public func session(_ id: Int64) throws -> Session? {
        try workspace.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT s.*, (SELECT count(*) FROM model_generation g WHERE g.session = s.id AND g.deleted IS NULL)
                    AS generations FROM model_session s WHERE id = ?
                    """, arguments: [id]
            ).map(Self.session)
        }
    }

    /// Returns the session that was started from a span of a trace; `nil` if there is none.
    public func session(from origin: Session.Origin) throws -> Session? {
        let id = try workspace.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT id FROM model_session WHERE trace = ? AND span = ? AND deleted IS NULL
                    ORDER BY id DESC LIMIT 1
                    """, arguments: [origin.trace, origin.span])
        }
        return try id.flatMap { try session($0) }
    }

    /// Keeps a session, new where its id is 0; the draft too.
    @discardableResult
    public func save(_ session: Session) throws -> Session {
        try workspace.write { db in
            var kept = session
            if session.id == 0 {
                try db.execute(
                    sql: """
                        INSERT INTO model_session (title, created, changed, draft, trace, span)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        session.title, session.created, session.changed, session.draft, session.origin?.trace,
                        session.origin?.span,
                    ])
                kept.id = db.lastInsertedRowID
            } else {
                try db.execute(
                    sql: "UPDATE model_session SET title = ?, changed = ?, draft = ? WHERE id = ?",
                    arguments: [session.title, session.changed, session.draft, session.id])
            }
            return kept
        }
    }

    /// Removes a session from the lists; `restoreSession` restores it.
    public func deleteSession(_ id: Int64, at time: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE model_session SET deleted = ? WHERE id = ?", arguments: [time, id])
        }
    }

    /// Restores a deleted session.
    public func restoreSession(_ id: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE model_session SET deleted = NULL WHERE id = ?", arguments: [id])
        }
    }

    /// Restores a deleted answer.
    public func restoreGeneration(_ id: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE model_generation SET deleted = NULL WHERE id = ?", arguments: [id])
        }
    }

    private static func session(_ row: Row) -> Session {
        let trace: Int64? = row["trace"]
        return Session(
            id: row["id"], title: row["title"], created: row["created"], changed: row["changed"], draft: row["draft"],
            origin: trace.map { Session.Origin(trace: $0, span: row["span"] ?? 0) },
            generationCount: row["generations"])
    }
}
