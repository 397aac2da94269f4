import GRDB
import Synchronization

/// Small values that a workspace remembers: the last screen, settings that belong to the file.
///
/// Setting never waits: while another thread or process writes, the value is kept in memory, seen by ``value(_:)`` at
/// once, and written as soon as the file is free, at the latest on closing. The loss of power may take the last seconds.
public struct WorkspaceState: Sendable {
    let workspace: Workspace

    /// The JSON text under a key; nil where nothing was set.
    public func value(_ key: String) throws -> String? {
        if let unsaved = workspace.desk.unsaved.withLock({ $0[key] }) { return unsaved }
        return try workspace.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM state WHERE key = ?", arguments: [key])
        }
    }

    /// Puts JSON text under a key; nil removes it. In a workspace that is only read it is remembered until it closes.
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
    /// What the workspace remembers of its use.
    public var state: WorkspaceState { WorkspaceState(workspace: self) }
}
