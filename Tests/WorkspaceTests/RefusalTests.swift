import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("A file that cannot be opened is left as it is, and a sentence says why")
struct RefusalTests {
    let folder = TemporaryFolder()

    private func refusal(_ path: String, create: Bool = true) -> WorkspaceError? {
        let before = bytes(of: path)
        defer { #expect(bytes(of: path) == before) }
        do {
            try Notebook.open(path, create: create).close()
            return nil
        } catch {
            return error
        }
    }

    @Test("a missing file, and a missing folder")
    func missing() {
        let path = folder.file("team.orrery")
        #expect(refusal(path, create: false) == .notFound(path: path))
        #expect(folder.names == [])
        let deep = folder.file("none/team.orrery")
        #expect(refusal(deep) == .notFound(path: deep))
    }

    @Test("a text, a picture, a file of three bytes", arguments: ["Dear Ada,\n", "\u{89}PNG\r\n\u{1A}\n", "SQX"])
    func foreign(text: String) {
        let path = folder.file("letter")
        write(Array(text.utf8), to: path)
        #expect(refusal(path) == .notAWorkspace(path: path, found: "some other file"))
    }

    @Test("a folder, a pipe, an empty file that is not to be filled")
    func notFiles() {
        mkdir(folder.file("sub"), 0o700)
        #expect(refusal(folder.file("sub")) == .notAWorkspace(path: folder.file("sub"), found: "a folder"))
        mkfifo(folder.file("pipe"), 0o600)
        let pipe = #expect(throws: WorkspaceError.self) { try Notebook.open(folder.file("pipe")) }
        #expect(pipe == .notAWorkspace(path: folder.file("pipe"), found: "a device or pipe"))
        write([], to: folder.file("empty"))
        let empty = WorkspaceError.notAWorkspace(path: folder.file("empty"), found: "an empty file")
        #expect(refusal(folder.file("empty"), create: false) == empty)
    }

    @Test("the database of another program, even with a log beside it that nobody has copied back")
    func otherDatabase() throws {
        let path = folder.file("bookmarks.sqlite")
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE bookmark (id INTEGER)")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO bookmark VALUES (1)")
        }
        // As a crash of the other program leaves it.
        let orphan = folder.file("orphan.sqlite")
        write(bytes(of: path), to: orphan)
        write(bytes(of: path + "-wal"), to: orphan + "-wal")
        let log = bytes(of: orphan + "-wal")
        #expect(!log.isEmpty)
        let found = "the SQLite database of another program"
        #expect(refusal(orphan) == .notAWorkspace(path: orphan, found: found))
        #expect(bytes(of: orphan + "-wal") == log)
        #expect(!folder.names.contains("orphan.sqlite-shm"))
    }

    @Test("a workspace with steps that a newer program has taken")
    func newerSteps() throws {
        let path = folder.file("team.orrery")
        try Workspace.open(path, migrations: Notebook.laterMigrations, create: true).close()
        #expect(
            refusal(path) == .newerSchema(path: path, unknown: ["notebook: find by text", "notebook: when"]))
        #expect(folder.names == ["team.orrery"])
    }

    @Test("a workspace of a newer generation")
    func newerGeneration() throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        try workspace.write { db in try db.execute(sql: "PRAGMA user_version = 9") }
        workspace.close()
        #expect(refusal(path) == .newerSchema(path: path, unknown: ["generation 9"]))
    }

    @Test("a workspace of which only the beginning is left", arguments: [60, 400, 20_000])
    func truncated(size: Int) throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        write(Array(bytes(of: path).prefix(size)), to: path)
        guard case .corrupt(path, let place)? = refusal(path) else {
            Issue.record("a truncated file was opened")
            return
        }
        #expect(place.contains("\(size)"))
    }

    @Test("a workspace whose schema page is overwritten")
    func damagedSchema() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        overwrite(path, at: 100, with: [UInt8](repeating: 0xA5, count: 4000))
        guard case .corrupt? = refusal(path) else {
            Issue.record("a damaged file was opened")
            return
        }
    }

    @Test("an older workspace that is only to be read")
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

    @Test("each case is a sentence with its path and a way out")
    func sentences() {
        let path = "/data/team.orrery"
        let cases: [(WorkspaceError, String)] = [
            (
                .notFound(path: path),
                "There is no workspace at /data/team.orrery: check the path, or create its folder first."
            ),
            (
                .notAWorkspace(path: path, found: "a folder"),
                "/data/team.orrery is a folder, not a workspace: name another file. It was not changed."
            ),
            (
                .newerSchema(path: path, unknown: ["a: b"]),
                "/data/team.orrery was written by a newer orrery (it holds “a: b”): "
                    + "open it with that version or a later one. It was not changed."
            ),
            (
                .olderSchema(path: path, pending: ["a", "b", "c", "d"]),
                "/data/team.orrery was written by an older orrery (it lacks “a”, “b”, “c” and 1 more): "
                    + "open it once in a place that can be written, so that it is brought up to date."
            ),
            (
                .readOnlyPlace(path: path),
                "/data/team.orrery lies in a place that cannot be written: copy it elsewhere, or only read it."
            ),
            (
                .permission(path: path),
                "You may not open /data/team.orrery: ask its owner, or change its mode with chmod."
            ),
            (
                .diskFull(path: path, needed: 1_500_000),
                "The disk that holds /data/team.orrery is full (1.5 MB are needed): make room and try again. "
                    + "Nothing was lost."
            ),
            (
                .corrupt(path: path, place: "page 3"),
                "/data/team.orrery is damaged (page 3). Restore a copy of it; until then, everything on other pages can "
                    + "still be read. orrery workspace check -w FILE lists all damage, and can accept pages that another "
                    + "program wrote."
            ),
            (
                .busy(path: path, writer: nil),
                "Another process is writing to /data/team.orrery: try again when it has finished."
            ),
            (
                .busy(path: path, writer: "Process 12 (import x)"),
                "Process 12 (import x) is writing to /data/team.orrery: try again when it has finished."
            ),
            (.exists(path: path), "/data/team.orrery exists already and is not overwritten: name another file."),
            (.other(path: path, reason: "it rains"), "/data/team.orrery: it rains."),
        ]
        for (error, sentence) in cases {
            #expect("\(error)" == sentence)
            #expect(error.path == path)
        }
    }
}
