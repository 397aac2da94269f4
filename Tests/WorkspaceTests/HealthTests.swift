import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Workspace information and checks")
struct HealthTests {
    let folder = TemporaryFolder()

    static let archive = [
        Migration(
            "archive: records",
            sql: """
                CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE record (
                    shelf INTEGER NOT NULL REFERENCES shelf(id), place INTEGER NOT NULL, body BLOB,
                    PRIMARY KEY (shelf, place)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
                CREATE INDEX line_by_text ON line(text);
                """)
    ]

    private func archive() throws -> Workspace {
        let workspace = try Workspace.open(folder.file("team.orrery"), migrations: Self.archive, create: true)
        let compressor = try Compressor()
        try workspace.write { db in
            try db.execute(sql: "INSERT INTO shelf VALUES (1)")
            for place in 0..<50 {
                let body = try compressor.compress(Array("record \(place), as it was written".utf8))
                let hex = body.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                try db.execute(sql: "INSERT INTO record VALUES (1, \(place), x'\(hex)')")
            }
            try CrashTests.addMany(200, to: db)
        }
        return workspace
    }

    @Test("the information includes the rows and bytes of each table, and the number of jobs by state")
    func info() throws {
        let workspace = try archive()
        try workspace.jobs.start("a", title: "b").finish()
        let info = try workspace.info(bytes: true)
        #expect(info.path == workspace.path)
        #expect(info.journal == .wal)
        #expect(info.generation == 2)
        #expect(info.tables.map(\.name) == ["job", "line", "migration", "record", "shelf", "state"])
        #expect(info.tables.first { $0.name == "line" }?.rows == .exactly(200))
        #expect(info.tables.first { $0.name == "record" }?.rows == .exactly(50))
        #expect(info.jobs == [.done: 1])
        #expect(info.size + info.logSize > 200_000)
        // All pages except those of the schema belong to a table.
        let bytes = info.tables.compactMap(\.bytes).reduce(0, +)
        let whole = info.pages * Int64(info.pageSize)
        #expect(bytes > whole / 2 && bytes < whole)
        #expect(try workspace.info().tables.allSatisfy { $0.bytes == nil })
    }

    @Test("counting stops at a limit, and the result states its precision")
    func manyRows() throws {
        let path = folder.file("team.orrery")
        let sql = """
            CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY) WITHOUT ROWID;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250000) INSERT INTO a SELECT i FROM n;
            INSERT INTO b SELECT id FROM a;
            """
        let workspace = try Workspace.open(path, migrations: [Migration("many", sql: sql)], create: true)
        let rows = try workspace.info().tables.filter { ["a", "b"].contains($0.name) }.map(\.rows.text)
        #expect(rows == ["about 250000", "at least 200000"])
    }

    @Test("the check of an undamaged workspace finds no problems")
    func sound() throws {
        let workspace = try archive()
        let report = try workspace.check([.payloads(of: "record", column: "body")])
        #expect(report.isSound)
    }

    @Test("the check names the row of a changed payload")
    func payload() throws {
        let workspace = try archive()
        try workspace.write { db in
            try db.execute(
                sql: """
                    UPDATE record SET body = CAST(substr(body, 1, 20) || x'00' || substr(body, 22) AS BLOB)
                    WHERE place = 7
                    """)
            try db.execute(sql: "UPDATE record SET body = x'010203' WHERE place = 9")
            try db.execute(sql: "UPDATE record SET body = NULL WHERE place = 11")
        }
        let problems = try workspace.check([.payloads(of: "record", column: "body")]).problems
        #expect(problems.count == 2)
        #expect(problems[0].hasPrefix("record 1,7: a compressed payload is damaged: "))
        #expect(problems[1].hasPrefix("record 1,9: "))
    }

    @Test("the check names a page that was changed on disk")
    func page() throws {
        let workspace = try archive()
        workspace.close()
        let pageSize = try pageSize(of: workspace.path)
        let last = bytes(of: workspace.path).count / pageSize - 1
        // Overwrite the start of a page of text.
        overwrite(workspace.path, at: last * pageSize, with: [UInt8](repeating: 0xFF, count: 200))
        let again = try Workspace.open(workspace.path, migrations: Self.archive)
        let problems = try again.check().problems
        #expect(problems.contains { $0.contains("\(last + 1)") }, "\(problems)")
    }

    @Test("the check names a row that refers to a missing row")
    func reference() throws {
        let workspace = try archive()
        workspace.close()
        let raw = try DatabaseQueue(path: workspace.path)
        try raw.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM shelf; INSERT INTO shelf VALUES (2)")
        }
        try raw.close()
        let report = try Workspace.open(workspace.path, migrations: Self.archive).check()
        #expect(report.problems.first == "record: refers to a missing row of shelf")
        #expect(report.problems.count == 50)
    }

    @Test("the check reports progress and can be canceled")
    func progress() throws {
        let workspace = try archive()
        let job = try workspace.jobs.start("check", title: "check")
        _ = try workspace.check([.payloads(of: "record", column: "body")], job: job)
        #expect(job.job.done == 50)
        job.cancellation.cancel()
        #expect(throws: CancellationError.self) { try workspace.check(job: job) }
    }

    @Test("the report has at most 100 problems and counts the rest")
    func manyFindings() throws {
        let workspace = try archive()
        let noisy = Check("noise") { _, examination in for number in 0..<250 { examination.report("\(number)") } }
        let report = try workspace.check([noisy])
        #expect(report.problems.count == 100)
        #expect(report.omitted == 150)
    }

    @Test("reading a damaged table throws an error for the workspace")
    func damagedPage() throws {
        let workspace = try archive()
        workspace.close()
        let pageSize = try pageSize(of: workspace.path)
        let count = bytes(of: workspace.path).count / pageSize
        for page in 2..<count {
            overwrite(workspace.path, at: page * pageSize, with: [UInt8](repeating: 0x5A, count: 64))
        }
        do {
            let again = try Workspace.open(workspace.path, migrations: Self.archive)
            _ = try again.read { db in try String.fetchAll(db, sql: "SELECT text FROM line") }
            Issue.record("a damaged table was read")
        } catch WorkspaceError.corrupt(let path, _) {
            #expect(path == workspace.path)
        }
    }
}
