import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Files that cannot be opened")
struct RefusalTests {
    let folder = TemporaryFolder()

    /// Returns the error from opening a file, and expects the file to stay unchanged.
    private func error(_ path: String, create: Bool = true) -> WorkspaceError? {
        let before = bytes(of: path)
        defer { #expect(bytes(of: path) == before) }
        do {
            try Notebook.open(path, create: create).close()
            return nil
        } catch {
            return error
        }
    }

    @Test("the error names a missing file or folder")
    func missing() {
        let path = folder.file("team.orrery")
        #expect(error(path, create: false) == .notFound(path: path))
        #expect(folder.names == [])
        let deep = folder.file("none/team.orrery")
        #expect(error(deep) == .notFound(path: deep))
    }

    @Test(
        "text files, images, and very short files are rejected",
        arguments: ["Dear Ada,\n", "\u{89}PNG\r\n\u{1A}\n", "SQX"])
    func foreign(text: String) {
        let path = folder.file("letter")
        write(Array(text.utf8), to: path)
        #expect(error(path) == .notAWorkspace(path: path, found: "another kind of file"))
    }

    @Test("folders, pipes, and existing empty files are rejected")
    func notFiles() {
        mkdir(folder.file("sub"), 0o700)
        #expect(error(folder.file("sub")) == .notAWorkspace(path: folder.file("sub"), found: "a folder"))
        mkfifo(folder.file("pipe"), 0o600)
        let pipe = #expect(throws: WorkspaceError.self) { try Notebook.open(folder.file("pipe")) }
        #expect(pipe == .notAWorkspace(path: folder.file("pipe"), found: "a device or pipe"))
        write([], to: folder.file("empty"))
        let empty = WorkspaceError.notAWorkspace(path: folder.file("empty"), found: "an empty file")
        #expect(error(folder.file("empty"), create: false) == empty)
    }

    @Test("another program's database is rejected, and its log is left unchanged")
    func otherDatabase() throws {
        let path = folder.file("bookmarks.sqlite")
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE bookmark (id INTEGER)")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO bookmark VALUES (1)")
        }
        // If the other program crashes, it leaves these files behind.
        let orphan = folder.file("orphan.sqlite")
        write(bytes(of: path), to: orphan)
        write(bytes(of: path + "-wal"), to: orphan + "-wal")
        let log = bytes(of: orphan + "-wal")
        #expect(!log.isEmpty)
        let found = "another program's SQLite database"
        #expect(error(orphan) == .notAWorkspace(path: orphan, found: found))
        #expect(bytes(of: orphan + "-wal") == log)
        #expect(!folder.names.contains("orphan.sqlite-shm"))
    }

    @Test("a workspace with migrations from a newer version is not opened")
    func newerMigrations() throws {
        let path = folder.file("team.orrery")
        try Workspace.open(path, migrations: Notebook.laterMigrations, create: true).close()
        #expect(
            error(path) == .newerSchema(path: path, unknown: ["notebook: find by text", "notebook: when"]))
        #expect(folder.names == ["team.orrery"])
    }

    @Test("a workspace with a newer generation is not opened")
    func newerGeneration() throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        try workspace.write { db in try db.execute(sql: "PRAGMA user_version = 9") }
        workspace.close()
        #expect(error(path) == .newerSchema(path: path, unknown: ["generation 9"]))
    }

    @Test("a truncated workspace is reported as corrupt", arguments: [60, 400, 20_000])
    func truncated(size: Int) throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        write(Array(bytes(of: path).prefix(size)), to: path)
        guard case .corrupt(path, let place)? = error(path) else {
            Issue.record("a truncated file was opened")
            return
        }
        #expect(place.contains("\(size)"))
    }

    @Test("a workspace with an overwritten schema page is reported as corrupt")
    func damagedSchema() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        overwrite(path, at: 100, with: [UInt8](repeating: 0xA5, count: 4000))
        guard case .corrupt? = error(path) else {
            Issue.record("a damaged file was opened")
            return
        }
    }

    @Test("an older workspace opened read-only is not updated")
    func older() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        let before = bytes(of: path)
        let error = #expect(throws: WorkspaceError.self) {
            try Workspace.open(path, migrations: Notebook.laterMigrations, access: .readOnly)
        }
        #expect(error == .olderSchema(path: path, pending: ["notebook: when", "notebook: find by text"]))
        #expect(bytes(of: path) == before)
    }

    @Test("each error message contains the path and a remedy")
    func sentences() {
        let path = "/data/team.orrery"
        let cases: [(WorkspaceError, String)] = [
            (
                .notFound(path: path),
                "No workspace at /data/team.orrery. Check the path, or create its folder first."
            ),
            (
                .notAWorkspace(path: path, found: "a folder"),
                "/data/team.orrery is a folder, not a workspace, and was not changed. Choose another file."
            ),
            (
                .newerSchema(path: path, unknown: ["a: b"]),
                "/data/team.orrery was written by a newer version of Orrery (unknown: “a: b”). "
                    + "Open it with that version or a later one. The file was not changed."
            ),
            (
                .olderSchema(path: path, pending: ["a", "b", "c", "d"]),
                "/data/team.orrery was written by an older version of Orrery (missing: “a”, “b”, “c”, and 1 more). "
                    + "To update it, open it once with write permission."
            ),
            (
                .readOnlyLocation(path: path),
                "Cannot write to /data/team.orrery. Copy it to a writable folder, or open it read-only."
            ),
            (
                .permission(path: path),
                "No permission to open /data/team.orrery. Ask its owner, or change its mode with chmod."
            ),
            (
                .diskFull(path: path, needed: 1_500_000),
                "The disk with /data/team.orrery is full (1.5 MB needed). Free some space and try again. "
                    + "No data was lost."
            ),
            (
                .corrupt(path: path, place: "page 3"),
                "/data/team.orrery is damaged (page 3). Restore a backup. Data on undamaged pages remains "
                    + "readable. orrery workspace check -w FILE lists all damage and can accept pages that another "
                    + "program wrote."
            ),
            (
                .busy(path: path, writer: nil),
                "Another process is writing to /data/team.orrery. Try again when it has finished."
            ),
            (
                .busy(path: path, writer: "Process 12 (import x)"),
                "Process 12 (import x) is writing to /data/team.orrery. Try again when it has finished."
            ),
            (.exists(path: path), "/data/team.orrery already exists and was not overwritten. Choose another file."),
            (.other(path: path, reason: "it rains"), "/data/team.orrery: it rains."),
        ]
        for (error, sentence) in cases {
            #expect("\(error)" == sentence)
            #expect(error.path == path)
        }
    }
}
