import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

/// Each test kills a real process with SIGKILL and opens the remaining files.
@Suite("A workspace after kill -9")
struct CrashTests {
    let folder = TemporaryFolder()

    @Test("an incomplete bulk write leaves no rows, even if much of it is in the log")
    func inBulkWrite() async throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("before")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try Notebook.open(path).bulkWrite { db in
                try Self.addMany(40_000, to: db)
                kill(getpid(), SIGKILL)
            }
        }
        #expect((bytes(of: path + "-wal").count) > 10 << 20, "the log should have pages that were never committed")
        let workspace = try Notebook.open(path)
        #expect(try workspace.lines() == ["before"])
        #expect(try workspace.check().problems == [])
    }

    @Test("all rows of a completed bulk write persist")
    func afterBulkWrite() async throws {
        let path = folder.file("team.orrery")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try Notebook.open(path).bulkWrite { db in try Self.addMany(5000, to: db) }
            kill(getpid(), SIGKILL)
        }
        // The bulk write copied the log into the file before it returned.
        #expect(bytes(of: path + "-wal").count == 0)
        #expect(try Notebook.open(path).lines().count == 5000)
    }

    @Test("all acknowledged transactions remain, and none is partial", arguments: 1...4)
    func anywhere(seed: Int) async throws {
        let path = folder.file("team.orrery")
        let acknowledged = folder.file("acknowledged")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledged = acknowledged as String, seed = seed as Int] in
            let workspace = try Notebook.open(path)
            let note = open(acknowledged, O_CREAT | O_WRONLY | O_APPEND, 0o600)
            let moment = Self.monotonic() + 0.02 + 0.017 * Double(seed)
            var thread = pthread_t()
            let box = UnsafeMutablePointer<Double>.allocate(capacity: 1)
            box.initialize(to: moment)
            pthread_create(
                &thread, nil,
                { argument in
                    let moment = argument!.load(as: Double.self)
                    while Self.monotonic() < moment {}
                    kill(getpid(), SIGKILL)
                    return nil
                }, box)
            for number in 0... {
                try workspace.write { db in
                    try db.execute(sql: "INSERT INTO line (text) VALUES (?)", arguments: ["\(number) a"])
                    try db.execute(sql: "INSERT INTO line (text) VALUES (?)", arguments: ["\(number) b"])
                }
                _ = Glibc.write(note, "x", 1)
            }
        }
        let workspace = try Notebook.open(path)
        let lines = try workspace.lines()
        #expect(lines.count % 2 == 0)
        #expect(lines == (0..<(lines.count / 2)).flatMap { ["\($0) a", "\($0) b"] })
        #expect(lines.count / 2 >= bytes(of: acknowledged).count)
        #expect(try workspace.check().problems == [])
    }

    @Test("a file whose update was interrupted has its old schema and can be updated later")
    func inMigration() async throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("before")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let killing = [Migration("notebook: when") { _ in kill(getpid(), SIGKILL) }]
            let first = [Migration("notebook: first", sql: "CREATE TABLE first (id INTEGER)")]
            _ = try Workspace.open(path, migrations: Notebook.migrations + first + killing)
        }
        let old = try Notebook.open(path)
        #expect(try old.lines() == ["before"])
        #expect(try old.info().tables.map(\.name).contains("first") == false)
        old.close()
        let new = try Workspace.open(path, migrations: Notebook.laterMigrations)
        #expect(try new.lines() == ["before"])
        #expect(try new.info().backups == [path + ".before-3"])
    }

    @Test("a file whose creation was interrupted is created again")
    func inCreation() async throws {
        let path = folder.file("team.orrery")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let killing = [Migration("notebook: lines") { _ in kill(getpid(), SIGKILL) }]
            _ = try Workspace.open(path, migrations: killing, create: true)
        }
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        #expect(try workspace.lines() == ["plan"])
        workspace.close()
        #expect(folder.names == ["team.orrery"])
    }

    @Test("an interrupted job can be resumed and removed")
    func inJob() async throws {
        let path = folder.file("team.orrery")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let workspace = try Notebook.open(path)
            let job = try workspace.jobs.start("count", title: "count to ten", total: 10, arguments: "[1]")
            try withExtendedLifetime(job) {
                try workspace.jobs.start("other", title: "a finished job").finish()
                kill(getpid(), SIGKILL)
            }
        }
        let workspace = try Notebook.open(path)
        let jobs = try workspace.jobs.list()
        #expect(jobs.map(\.state) == [.done, .interrupted])
        #expect(jobs[1].title == "count to ten")
        #expect(jobs[1].finished != nil)
        workspace.jobs.register("count") { job, handle in
            #expect(job.arguments == "[1]")
            try handle.advance(by: 10)
            try handle.finish(result: "10")
        }
        try workspace.jobs.resume(jobs[1].id)
        #expect(try workspace.jobs.job(jobs[1].id)?.state == .done)
        #expect(try workspace.jobs.job(jobs[1].id)?.result == "10")
        try workspace.jobs.remove(jobs[1].id)
        #expect(try workspace.jobs.list().count == 1)
    }

    static func addMany(_ count: Int, to db: Database) throws {
        let statement = try db.makeStatement(sql: "INSERT INTO line (text) VALUES (?)")
        let text = String(repeating: "tick tock ", count: 120)
        for number in 0..<count { try statement.execute(arguments: ["\(number) \(text)"]) }
    }

    static func monotonic() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
