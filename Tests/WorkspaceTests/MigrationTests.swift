import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Schema updates")
struct MigrationTests {
    let folder = TemporaryFolder()

    @Test("missing migrations are applied once and in order")
    func order() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("plan")
        let workspace = try Workspace.open(path, migrations: Notebook.laterMigrations)
        #expect(
            try workspace.info().migrations == [
                "workspace: jobs", "workspace: state", "notebook: lines", "notebook: when", "notebook: find by text",
            ])
        #expect(try workspace.read { db in try Double.fetchOne(db, sql: "SELECT moment FROM line") } == nil)
        workspace.close()
        // Applying the migrations again would fail, because the column already exists.
        try Workspace.open(path, migrations: Notebook.laterMigrations).close()
    }

    @Test("an update saves a copy of the existing file, which opens as the old workspace")
    func backup() throws {
        let path = folder.file("team.orrery")
        let old = try Notebook.open(path)
        try old.add("plan")
        // Another connection still has the file open, and some data is in the log.
        try Workspace.open(path, migrations: Notebook.laterMigrations).close()
        old.close()
        #expect(folder.names == ["team.orrery", "team.orrery.before-3"])
        #expect(permissions(of: path + ".before-3") == 0o600)
        let copy = try Notebook.open(path + ".before-3")
        #expect(try copy.lines() == ["plan"])
        #expect(try copy.check().problems == [])
    }

    @Test("a new or current file is not backed up")
    func noBackup() throws {
        let path = folder.file("team.orrery")
        try Workspace.open(path, migrations: Notebook.laterMigrations, create: true).close()
        try Workspace.open(path, migrations: Notebook.laterMigrations).close()
        #expect(folder.names == ["team.orrery"])
    }

    @Test("only the two newest copies remain, and files with similar names are not removed")
    func pruning() throws {
        let path = folder.file("team.orrery")
        write([1], to: path + ".before-lunch")
        var steps = Notebook.migrations
        try Workspace.open(path, migrations: steps, create: true).close()
        for number in 0..<9 {
            steps.append(Migration("notebook: \(number)", sql: "CREATE TABLE t\(number) (id INTEGER)"))
            try Workspace.open(path, migrations: steps).close()
        }
        // Copy 11 is newer than copy 9, although 11 sorts before 9 as text.
        #expect(
            folder.names == [
                "team.orrery", "team.orrery.before-10", "team.orrery.before-11", "team.orrery.before-lunch",
            ])
    }

    @Test("if a migration fails, all are undone, and the error names the file")
    func failure() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("plan")
        let wrong = Notebook.laterMigrations + [Migration("notebook: wrong", sql: "CREATE TABLE line (id INTEGER)")]
        let error = #expect(throws: WorkspaceError.self) { try Workspace.open(path, migrations: wrong) }
        #expect(error == .other(path: path, reason: "table line already exists"))
        let workspace = try Notebook.open(path)
        #expect(try workspace.lines() == ["plan"])
        #expect(try workspace.info().migrations.count == 3)
    }

    @Test("a migration may rebuild a referenced table but must not leave references to missing rows")
    func references() throws {
        let path = folder.file("team.orrery")
        let first = [
            Migration(
                "tree: nodes",
                sql: """
                    CREATE TABLE node (id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE leaf (node INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE);
                    INSERT INTO node VALUES (1, 'a'), (2, 'b');
                    INSERT INTO leaf VALUES (1), (2);
                    """)
        ]
        try Workspace.open(path, migrations: first, create: true).close()
        let rebuild = """
            CREATE TABLE node2 (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO node2 SELECT * FROM node; DROP TABLE node; ALTER TABLE node2 RENAME TO node;
            """
        let careless = first + [Migration("tree: prune", sql: "DELETE FROM node WHERE id = 2")]
        let error = #expect(throws: WorkspaceError.self) { try Workspace.open(path, migrations: careless) }
        #expect(
            error
                == .other(path: path, reason: "the update would leave rows in leaf that refer to missing rows"))
        let workspace = try Workspace.open(path, migrations: first + [Migration("tree: names", sql: rebuild)])
        #expect(try workspace.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM leaf") } == 2)
        // Foreign keys are enforced again after the update.
        #expect(throws: WorkspaceError.self) {
            try workspace.write { db in try db.execute(sql: "INSERT INTO leaf VALUES (7)") }
        }
    }

    @Test("the update runs once if several callers open the file at the same time")
    func race() async throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("plan")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask { (try? Workspace.open(path, migrations: Notebook.laterMigrations)) != nil }
            }
            for await succeeded in group { #expect(succeeded) }
        }
        #expect(folder.names == ["team.orrery", "team.orrery.before-3"])
    }
}
