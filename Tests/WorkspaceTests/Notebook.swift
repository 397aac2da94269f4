import GRDB
import Workspace

/// A small module that stores lines of text; tests use it to open workspaces.
enum Notebook {
    static let migrations = [
        Migration("notebook: lines", sql: "CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    ]

    /// Migrations of a later version of the program.
    static let laterMigrations =
        migrations + [
            Migration("notebook: when", sql: "ALTER TABLE line ADD COLUMN moment REAL"),
            Migration("notebook: find by text", sql: "CREATE INDEX line_by_text ON line(text)"),
        ]

    static func open(
        _ path: String, access: Workspace.Access = .readWrite, create: Bool = true
    ) throws(WorkspaceError) -> Workspace {
        try Workspace.open(path, migrations: migrations, access: access, create: create)
    }
}

extension Workspace {
    func add(_ text: String) throws {
        try write { db in try db.execute(sql: "INSERT INTO line (text) VALUES (?)", arguments: [text]) }
    }

    func lines() throws -> [String] {
        try read { db in try String.fetchAll(db, sql: "SELECT text FROM line ORDER BY id") }
    }
}

/// Returns the page size in the header of a file.
func pageSize(of path: String) throws -> Int {
    guard case .database(let header) = try FileHeader.read(path) else {
        throw WorkspaceError.notAWorkspace(path: path, found: "something else")
    }
    return header.pageSize
}
