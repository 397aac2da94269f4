import CPageChecksums
import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Page checksums")
struct ChecksumTests {
    let folder = TemporaryFolder()

    private var path: String { folder.file("team.orrery") }

    /// Writes more than the page caches of all connections can hold, so that SQLite writes pages in arbitrary order.
    private func fill(_ workspace: Workspace, rows: Int = 1500) throws {
        try workspace.bulkWrite { db in
            for number in 0..<rows {
                try db.execute(
                    sql: "INSERT INTO line (text) VALUES (? || hex(randomblob(6000)))", arguments: ["line \(number) "])
            }
        }
    }

    /// Computes the checksum by its definition, word by word.
    private static func reference(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let words = stride(from: 0, to: bytes.count, by: 4).map { offset in
            bytes.dropFirst(offset).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var (first, second) = (UInt32(0), UInt32(0))
        for pair in stride(from: 0, to: words.count, by: 2) {
            first &+= words[pair] &+ second
            second &+= words[pair + 1] &+ first
        }
        return [first, second].flatMap { sum in (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } }
    }

    private func mismatches(_ path: String) -> [Int] {
        let (file, size) = (bytes(of: path), 16_384)
        return (0..<file.count / size).filter { number in
            let page = file[(number * size)..<((number + 1) * size)]
            return page.suffix(8) != Self.reference(page.dropLast(8))[...]
        }
    }

    @Test("checksums match the definition and a value computed by Python")
    func definition() {
        func sum(_ bytes: [UInt8]) -> [UInt8] {
            var sum = [UInt8](repeating: 0, count: 8)
            orrery_checksum(bytes, bytes.count, &sum)
            return sum
        }
        // python3: struct.unpack("<II", ...) over bytes((i * 37 + 11) % 256 for i in range(504)), summed as documented.
        #expect(
            sum((0..<504).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
                == [0xAC, 0x87, 0x86, 0x0D, 0x14, 0x1C, 0x2C, 0x51])
        var random = SystemRandomNumberGenerator()
        for count in [8, 504, 16_376] {
            let page = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(sum(page) == Self.reference(page))
        }
    }

    @Test("every page has a checksum in a new file, after a large write, and in every kind of copy")
    func everywhere() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace)
        try workspace.add("still in the log")
        try workspace.backup(to: folder.file("backup.orrery"))
        try workspace.export(to: folder.file("export.orrery"))
        workspace.close()
        for name in ["team.orrery", "backup.orrery", "export.orrery"] {
            #expect(bytes(of: folder.file(name)).count > 10_000_000)
            #expect(bytes(of: folder.file(name))[20] == 8)
            #expect(mismatches(folder.file(name)) == [], "\(name)")
        }
        #expect(try Notebook.open(folder.file("backup.orrery")).lines().count == 1501)
    }

    @Test("a connection opened before the file had a header writes checksums")
    func openedEmpty() throws {
        try Notebook.open(folder.file("other.orrery")).close()
        try PrivateFile.create(path)
        let early = try DatabaseQueue(path: path)
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        try early.writeWithoutTransaction { db in
            // The connection has the schema of the empty file; this query loads the new schema.
            _ = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
            try db.execute(sql: "INSERT INTO line (text) VALUES (hex(randomblob(40000)))")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try early.close()
        workspace.close()
        #expect(mismatches(path) == [])
        #expect(try Notebook.open(path).lines().count == 2)
    }

    @Test("the read error and the check name the page and the table of a changed byte")
    func naming() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 20)
        workspace.close()
        // The end of the last page is part of the text of a line.
        let pages = bytes(of: path).count / 16_384
        overwrite(path, at: pages * 16_384 - 100, with: [bytes(of: path)[pages * 16_384 - 100] ^ 1])
        let damaged = try Notebook.open(path)
        let place = "the checksum of page \(pages) (table line) does not match"
        #expect(throws: WorkspaceError.corrupt(path: damaged.path, place: place)) { try damaged.lines() }
        let report = try damaged.check([Check("later") { _, examination in examination.report("later finding") }])
        #expect(
            report.problems == ["page \(pages) (table line): the checksum does not match", "later finding"])
        #expect(report.mismatches == 1)
        // Other tables can still be read.
        #expect(try damaged.jobs.list().isEmpty)
    }

    @Test("a read or write of a damaged page throws an error even if its body ignores the page's error")
    func ignoring() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 20)
        workspace.close()
        overwrite(path, at: bytes(of: path).count - 100, with: [bytes(of: path)[bytes(of: path).count - 100] ^ 1])
        let damaged = try Notebook.open(path)
        #expect(damaged.damage == nil)
        let lines = "SELECT text FROM line"
        #expect(throws: WorkspaceError.self) {
            try damaged.read { db in (try? String.fetchAll(db, sql: lines)) ?? [] }
        }
        #expect(throws: WorkspaceError.self) {
            try damaged.write { db in
                _ = try? String.fetchAll(db, sql: lines)
                try db.execute(sql: "DELETE FROM state")
            }
        }
        #expect(damaged.damage?.sentence.contains("(table line) does not match") == true)
    }

    @Test("the error and the check name the pages of a file that is too damaged to open")
    func unopenable() throws {
        let tables = (0..<200).map { "CREATE TABLE t\($0) (a, b, c CHECK (c <> 'a rather long constraint'));" }
        let many = [Migration("many: tables", sql: tables.joined())]
        try Workspace.open(path, migrations: many, create: true).close()
        // The schema has several pages; the second one contains only statements.
        let file = bytes(of: path)
        let pages = 1..<file.count / 16_384
        let found = pages.first { page in
            String(decoding: file[(page * 16_384)...].prefix(16_384), as: UTF8.self).contains("t150")
        }
        let second = try #require(found)
        overwrite(path, at: second * 16_384 + 9000, with: [bytes(of: path)[second * 16_384 + 9000] ^ 1])
        let name = "page \(second + 1) (table sqlite_schema)"
        let problem = WorkspaceError.corrupt(
            path: FileLocation.canonical(path), place: "the checksum of \(name) does not match")
        #expect(throws: problem) { _ = try Workspace.open(path, migrations: many) }
        #expect(try Workspace.checkChecksums(at: path).problems == ["\(name): the checksum does not match"])
    }

    @Test("the check names the table of an inner page that points to itself, and does not loop forever")
    func cycle() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace)
        workspace.close()
        let (file, size) = (bytes(of: path), 16_384)
        let inner = try #require((1..<file.count / size).first { file[$0 * size] == 5 })
        let own = [UInt8(0), 0, UInt8((inner + 1) >> 8), UInt8((inner + 1) & 255)]
        let start = inner * size
        let cells = Int(file[start + 3]) << 8 | Int(file[start + 4])
        #expect(cells > 30)
        overwrite(path, at: start + 8, with: own)
        for cell in 0..<cells {
            let pointer = start + 12 + 2 * cell
            overwrite(path, at: start + (Int(file[pointer]) << 8 | Int(file[pointer + 1])), with: own)
        }
        let damaged = try Notebook.open(path)
        let place = "the checksum of page \(inner + 1) (table line) does not match"
        #expect(throws: WorkspaceError.corrupt(path: damaged.path, place: place)) { try damaged.lines() }
        damaged.close()

        // No page of the table can be reached now, and all other tables are complete.
        let leaf = try #require((1..<file.count / size).last { file[$0 * size] == 13 })
        overwrite(path, at: leaf * size + 9000, with: [file[leaf * size + 9000] ^ 1])
        #expect(
            try Workspace.checkChecksums(at: path).problems
                == [inner + 1, leaf + 1].sorted().map { "page \($0) (table line): the checksum does not match" })
    }

    @Test("copying a workspace verifies checksums")
    func copying() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 20)
        workspace.close()
        overwrite(path, at: bytes(of: path).count - 100, with: [bytes(of: path)[bytes(of: path).count - 100] ^ 1])
        let damaged = try Notebook.open(path)
        #expect(throws: WorkspaceError.self) { try damaged.backup(to: folder.file("copy.orrery")) }
        #expect(throws: WorkspaceError.self) { try damaged.export(to: folder.file("copy.orrery")) }
        damaged.close()
        #expect(folder.names == ["team.orrery"])
    }

    @Test("damage to any part of the header is detected", arguments: [3, 17, 20, 31, 63, 71, 99, 5000])
    func header(offset: Int) throws {
        try Notebook.open(path).close()
        overwrite(path, at: offset, with: [bytes(of: path)[offset] ^ 0x10])
        do {
            _ = try Notebook.open(path)
            Issue.record("byte \(offset) was accepted")
        } catch .corrupt(_, let place) {
            #expect(place == "the checksum of page 1 (table sqlite_schema) does not match")
        }
    }

    @Test("damage to an unused page is reported as harmless")
    func unused() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 40)
        try workspace.write { db in try db.execute(sql: "DELETE FROM line WHERE id < 35") }
        workspace.close()
        var file = bytes(of: path)
        let pages = file.count / 16_384
        // Only damage to pages on the free list is reported as harmless.
        for number in stride(from: pages - 1, to: 1, by: -1) {
            overwrite(path, at: number * 16_384 + 9000, with: [file[number * 16_384 + 9000] ^ 1])
            let problems = try Notebook.open(path).check().problems
            if problems == ["page \(number + 1) (unused, so no data is lost): the checksum does not match"] { return }
            overwrite(path, at: number * 16_384 + 9000, with: [file[number * 16_384 + 9000]])
            file = bytes(of: path)
        }
        Issue.record("no unused page was found")
    }

    @Test("pages changed by another program are accepted after a check")
    func accepting() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 20)
        workspace.close()
        // A program that does not update checksums leaves valid pages with outdated checksums.
        let last = bytes(of: path).count - 100
        overwrite(path, at: last, with: [bytes(of: path)[last] == 0x41 ? 0x42 : 0x41])
        overwrite(path, at: 27, with: [bytes(of: path)[27] &+ 1])
        overwrite(path, at: 95, with: [bytes(of: path)[95] &+ 1])
        #expect(throws: WorkspaceError.self) { try Notebook.open(path) }
        let changed = bytes(of: path)
        #expect(try Workspace.acceptPages(at: path) == 2)
        #expect(bytes(of: path + ".before-accept") == changed)
        #expect(mismatches(path) == [])
        #expect(try Notebook.open(path).lines().count == 20)
        #expect(try Notebook.open(path).check().problems == [])
    }

    @Test("pages are not accepted if a check finds damage")
    func rejecting() throws {
        let workspace = try Notebook.open(path)
        try fill(workspace, rows: 20)
        workspace.close()
        // These bytes include the number of cells of the last page.
        overwrite(path, at: bytes(of: path).count - 16_384, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        let before = bytes(of: path)
        #expect(throws: WorkspaceError.self) { try Workspace.acceptPages(at: path) }
        #expect(bytes(of: path) == before)
    }
}

@Suite("Adding page checksums to an older file")
struct ChecksumUpdateTests {
    let folder = TemporaryFolder()

    private var path: String { folder.file("team.orrery") }

    /// Creates a workspace as releases before generation 2 did.
    private func makeOld(lines: Int) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        chmod(path, 0o600)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = 16384;
                    PRAGMA application_id = \(Workspace.applicationID);
                    PRAGMA user_version = 1;
                    CREATE TABLE migration (
                        position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, applied INTEGER NOT NULL
                    ) STRICT;
                    """)
            for step in Migration.workspace + Notebook.migrations {
                try step.apply(db)
                try db.execute(sql: "INSERT INTO migration (name, applied) VALUES (?, 0)", arguments: [step.name])
            }
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(lines))
                    INSERT INTO line (text) SELECT 'line ' || i || hex(randomblob(3000)) FROM n;
                    PRAGMA journal_mode = WAL;
                    """)
        }
        return queue
    }

    @Test("the update preserves every row and keeps the old file as a backup")
    func update() throws {
        let old = try makeOld(lines: 2000)
        let before = try old.read { db in try String.fetchAll(db, sql: "SELECT text FROM line ORDER BY id") }
        try old.close()
        let workspace = try Notebook.open(path)
        #expect(try workspace.lines() == before)
        #expect(try workspace.info().generation == 2)
        #expect(workspace.conversion?.contains(".before-3") == true)
        #expect(try workspace.check().problems == [])
        workspace.close()
        #expect(folder.names == ["team.orrery", "team.orrery.before-3"])
        #expect(bytes(of: path)[20] == 8)
        #expect(bytes(of: path + ".before-3")[20] == 0)
        // A workspace that is opened again after the update has no note.
        #expect(try Notebook.open(path).conversion == nil)
    }

    @Test("the update is postponed while another connection has the file open")
    func busy() throws {
        let old = try makeOld(lines: 5)
        // A connection has the file open only after its first read.
        #expect(try old.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM line") } == 5)
        let workspace = try Notebook.open(path)
        #expect(
            workspace.conversion
                == "The pages of the workspace have no checksums yet: another process has the file open.")
        try workspace.add("written meanwhile")
        #expect(try old.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM line") } == 6)
        workspace.close()
        try old.close()
        #expect(try Notebook.open(path).lines().count == 6)
        #expect(bytes(of: path)[20] == 8)
    }

    @Test("a damaged file is not updated, and a note gives the reason")
    func damaged() throws {
        try makeOld(lines: 200).close()
        overwrite(path, at: 5 * 16_384, with: [UInt8](repeating: 0xFF, count: 60))
        let workspace = try Notebook.open(path)
        #expect(workspace.conversion?.contains("the file is damaged. Run orrery workspace check") == true)
        workspace.close()
        #expect(bytes(of: path)[20] == 0)
    }

    @Test("opening a file read-only does not update it")
    func reading() throws {
        try makeOld(lines: 5).close()
        let workspace = try Notebook.open(path, access: .readOnly)
        #expect(try workspace.lines().count == 5)
        workspace.close()
        #expect(bytes(of: path)[20] == 0)
    }
}
