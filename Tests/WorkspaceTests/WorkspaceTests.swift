import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Workspace files")
struct WorkspaceTests {
    let folder = TemporaryFolder()

    @Test("written rows persist")
    func persists() throws {
        let path = folder.file("team.orrery")
        let first = try Notebook.open(path)
        try first.add("plan")
        try first.add("act")
        first.close()
        #expect(try Notebook.open(path, create: false).lines() == ["plan", "act"])
    }

    @Test("the header identifies the file after the first transaction")
    func header() throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        #expect(bytes(of: path).prefix(16).elementsEqual("SQLite format 3\0".utf8))
        #expect(bytes(of: path)[68..<72].elementsEqual("Orry".utf8))
        let (generation, foreignKeys) = try workspace.write { db in
            (try Int32.fetchOne(db, sql: "PRAGMA user_version"), try Bool.fetchOne(db, sql: "PRAGMA foreign_keys"))
        }
        #expect(generation == Workspace.generation)
        #expect(foreignKeys == true)
    }

    @Test("only the owner can read the file and its log, whatever the umask")
    func mode() async {
        await #expect(processExitsWith: .success) {
            umask(0)
            let folder = TemporaryFolder()
            let path = folder.file("team.orrery")
            let workspace = try Notebook.open(path)
            try workspace.add("plan")
            for suffix in ["", "-wal", "-shm"] {
                #expect(permissions(of: path + suffix) == 0o600)
            }
            umask(0o777)
            let other = folder.file("other.orrery")
            try Notebook.open(other).close()
            #expect(permissions(of: other) == 0o600)
        }
    }

    @Test("a closed workspace has no log or other files")
    func alone() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try workspace.add("plan")
        _ = try workspace.lines()
        workspace.close()
        #expect(folder.names == ["team.orrery"])
    }

    @Test("reading a workspace leaves the file unchanged and creates no other files")
    func readOnly() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("plan")
        let before = bytes(of: path)
        let workspace = try Notebook.open(path, access: .readOnly)
        #expect(try workspace.lines() == ["plan"])
        #expect(throws: WorkspaceError.readOnlyLocation(path: path)) { try workspace.add("more") }
        #expect(throws: WorkspaceError.self) {
            try workspace.read { db in try db.execute(sql: "DELETE FROM line") }
        }
        workspace.close()
        #expect(bytes(of: path) == before)
        #expect(folder.names == ["team.orrery"])
    }

    @Test("using a closed workspace throws an error")
    func closed() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        workspace.close()
        workspace.close()
        let closed = WorkspaceError.other(path: workspace.path, reason: "the workspace is closed")
        #expect(throws: closed) { try workspace.lines() }
        #expect(throws: closed) { try workspace.add("late") }
    }

    @Test(
        "a workspace can have any name",
        arguments: ["file:x?mode=memory.orrery", "a b%20#c?.orrery", "ü’.orrery", "x"])
    func names(name: String) throws {
        let workspace = try Notebook.open(folder.file(name))
        try workspace.add(name)
        #expect(try workspace.lines() == [name])
        workspace.close()
        #expect(folder.names == [name])
        #expect(try Notebook.open(folder.file(name), access: .readOnly).lines() == [name])
    }

    @Test("opening a symbolic link opens its target")
    func link() throws {
        let target = folder.file("target.orrery")
        try Notebook.open(target).close()
        symlink(target, folder.file("link.orrery"))
        let workspace = try Notebook.open(folder.file("link.orrery"), create: false)
        #expect(workspace.path == target)
    }

    @Test("a file can be open twice in one process, and closing one workspace preserves the locks of the other")
    func twice() throws {
        let path = folder.file("team.orrery")
        let first = try Notebook.open(path)
        let second = try Notebook.open(path)
        try first.add("from the first")
        try second.add("from the second")
        second.close()
        try first.add("again")
        #expect(try first.lines() == ["from the first", "from the second", "again"])
    }

    @Test("several callers can create the same file at the same time")
    func race() async throws {
        let path = folder.file("team.orrery")
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<4 {
                group.addTask { (try? Notebook.open(path).add("\(number)")) != nil }
            }
            for await succeeded in group { #expect(succeeded) }
        }
        #expect(try Notebook.open(path).lines().sorted() == ["0", "1", "2", "3"])
    }

    @Test("an empty file left by an early crash becomes a workspace")
    func empty() throws {
        let path = folder.file("team.orrery")
        write([], to: path)
        try Notebook.open(path).add("plan")
        #expect(try Notebook.open(path).lines() == ["plan"])
    }

    @Test("a write that throws is rolled back")
    func rollback() throws {
        struct Failure: Error {}
        let workspace = try Notebook.open(folder.file("team.orrery"))
        #expect(throws: Failure.self) {
            try workspace.write { db in
                try db.execute(sql: "INSERT INTO line (text) VALUES ('lost')")
                throw Failure()
            }
        }
        #expect(try workspace.lines() == [])
    }

    @Test("a reader sees one snapshot while others write")
    func snapshot() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try workspace.add("before")
        try workspace.read { db in
            let sql = "SELECT count(*) FROM line"
            #expect(try Int.fetchOne(db, sql: sql) == 1)
            try workspace.add("meanwhile")
            #expect(try Int.fetchOne(db, sql: sql) == 1)
        }
        #expect(try workspace.lines().count == 2)
    }

    @Test("canceling a read stops its running statement immediately")
    func cancel() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        let cancellation = Cancellation()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        #expect(throws: CancellationError.self) {
            try workspace.read(until: cancellation) { db in
                // Cancel from inside the statement, so that it is certainly running.
                db.add(
                    function: DatabaseFunction("stop", argumentCount: 0) { _ in
                        cancellation.cancel()
                        return 1
                    })
                _ = try Int.fetchOne(db, sql: endless + " WHERE stop() = 1")
            }
        }
        #expect(throws: CancellationError.self) { try workspace.read(until: cancellation) { _ in } }
    }

    @Test("the default path is in the XDG data folder")
    func defaultPath() {
        let none: (String) -> String? = { $0 == "HOME" ? "/home/ada" : nil }
        #expect(Workspace.defaultPath(environment: none) == "/home/ada/.local/share/orrery/default.orrery")
        let named: (String) -> String? = { $0 == "HOME" ? "/home/ada" : "/data/" }
        #expect(Workspace.defaultPath(environment: named) == "/data/orrery/default.orrery")
        let relative: (String) -> String? = { $0 == "HOME" ? "/home/ada" : "data" }
        #expect(Workspace.defaultPath(environment: relative) == "/home/ada/.local/share/orrery/default.orrery")
    }

    @Test("missing folders are created, readable only by their owner")
    func folders() throws {
        try Workspace.makeFolder(for: folder.file("a/b/team.orrery"))
        #expect(permissions(of: folder.file("a")) == 0o700)
        #expect(permissions(of: folder.file("a/b")) == 0o700)
        try Workspace.makeFolder(for: folder.file("a/b/team.orrery"))
    }
}
