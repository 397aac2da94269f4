import GRDB
import Synchronization

/// Small values stored in a workspace, such as the most recent screen and the file's settings.
///
/// Setting a value never waits. While another thread or process writes, the value stays in memory, where ``value(_:)``
/// finds it immediately; it is written as soon as the file is free, at the latest when the workspace closes. A power
/// failure can lose the values of the last few seconds.
public struct WorkspaceState: Sendable {
    let workspace: Workspace

    /// Returns the value of a key as JSON text; `nil` if no value is set.
    public func value(_ key: String) throws -> String? {
        if let unsaved = workspace.desk.unsaved.withLock({ $0[key] }) { return unsaved }
        return try workspace.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM state WHERE key = ?", arguments: [key])
        }
    }

    /// Sets the value of a key to JSON text; `nil` removes the value.
    ///
    /// In a read-only workspace, the value lasts until the workspace is closed.
    public func set(_ key: String, to value: String?) {
        let desk = workspace.desk
        desk.unsaved.withLock { $0[key] = .some(value) }
        workspace.writer?.note("state:" + key) { db in
            if let value {
                let sql = """
                    INSERT INTO state (key, value, changed) VALUES (?, ?, julianday('now'))
                    ON CONFLICT DO UPDATE SET value = excluded.value, changed = excluded.changed
                    """
                try db.execute(sql: sql, arguments: [key, value])
            } else {
                try db.execute(sql: "DELETE FROM state WHERE key = ?", arguments: [key])
            }
            db.afterNextTransaction { _ in
                desk.unsaved.withLock { unsaved in
                    if let now = unsaved[key], now == value { unsaved[key] = nil }
                }
            }
        }
    }
}

extension Workspace {
    /// Small values stored in the workspace.
    public var state: WorkspaceState { WorkspaceState(workspace: self) }
}
