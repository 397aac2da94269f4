internal import GRDB
public import Workspace

/// The kernels of its owner that a workspace knows: where their TOML files are.
public struct OwnKernelStore: Sendable {
    public let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// The steps that make its table.
    public static let migrations = [
        Migration(
            "kernels: own kernels",
            sql: "CREATE TABLE own_kernel (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE) STRICT")
    ]

    /// Whole paths of the TOML files, in the order in which they were added.
    public func paths() throws -> [String] {
        try workspace.read { db in try String.fetchAll(db, sql: "SELECT path FROM own_kernel ORDER BY id") }
    }

    /// Remembers a kernel; one that is known already stays where it is.
    ///
    /// - Returns: the whole path.
    @discardableResult
    public func add(_ kernel: OwnKernel) throws -> String {
        let path = kernel.name
        try workspace.write { db in
            try db.execute(sql: "INSERT OR IGNORE INTO own_kernel (path) VALUES (?)", arguments: [path])
        }
        return path
    }

    /// The path under a number; nil where it was forgotten.
    public func path(_ id: Int64) throws -> String? {
        try workspace.read { db in
            try String.fetchOne(db, sql: "SELECT path FROM own_kernel WHERE id = ?", arguments: [id])
        }
    }

    /// The number of a path that was added.
    public func id(of path: String) throws -> Int64? {
        try workspace.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM own_kernel WHERE path = ?", arguments: [path])
        }
    }

    /// Forgets a kernel; its files and its measurements stay.
    public func remove(_ path: String) throws {
        try workspace.write { db in try db.execute(sql: "DELETE FROM own_kernel WHERE path = ?", arguments: [path]) }
    }
}
