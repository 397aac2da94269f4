import GRDB
import Glibc
import Synchronization
import TestFixtures
import Testing
import Workspace

@Suite("Jobs")
struct JobTests {
    let folder = TemporaryFolder()
    let workspace: Workspace

    init() throws {
        workspace = try Notebook.open(folder.file("team.orrery"))
    }

    @Test("a job records its progress and its result")
    func life() throws {
        let handle = try workspace.jobs.start("import", title: "import a.jsonl", unit: "spans", arguments: "{}")
        #expect(try workspace.jobs.list().map(\.state) == [.running])
        try handle.advance(by: 30, of: 120)
        try handle.advance(by: 30)
        #expect(handle.job.fraction == 0.5)
        // The list shows the current count of this process, which is newer than the row.
        #expect(try workspace.jobs.list().first?.done == 60)
        #expect(try #require(handle.rate) > 0)
        #expect(try #require(handle.remaining) > 0)
        try handle.finish(result: #"{"spans": 60}"#)
        let row = try #require(try workspace.jobs.job(handle.id))
        #expect(row.state == .done)
        #expect(row.result == #"{"spans": 60}"#)
        #expect((row.done, row.total, row.unit) == (60, 120, "spans"))
        #expect(try #require(row.finished) >= row.created)
        #expect(workspace.jobs.active.isEmpty)
    }

    @Test("the final state of a job is stored", arguments: [Job.State.done, .failed, .cancelled, .interrupted])
    func ends(state: Job.State) throws {
        var id: Int64 = 0
        do {
            let handle = try workspace.jobs.start("import", title: "import")
            id = handle.id
            switch state {
            case .done: try handle.finish(result: "1")
            case .failed: handle.fail("The disk is full.")
            case .cancelled: handle.cancelled()
            default: break
            }
            // Only the first call that ends a job has an effect.
            if state != .interrupted { handle.fail("too late") }
        }
        workspace.close()
        let again = try Notebook.open(workspace.path)
        let job = try #require(try again.jobs.job(id))
        #expect(job.state == state)
        #expect(job.result == (state == .done ? "1" : nil))
        #expect(job.error == (state == .failed ? "The disk is full." : nil))
    }

    @Test("the result or error of the body determines how a job ends")
    func follows() throws {
        struct Trouble: Error, CustomStringConvertible { let description = "Line 3 is not JSON." }
        try workspace.jobs.run("a", title: "good") { _ in "[]" }
        #expect(throws: Trouble.self) { try workspace.jobs.run("a", title: "bad") { _ in throw Trouble() } }
        #expect(throws: CancellationError.self) {
            try workspace.jobs.run("a", title: "stopped") { handle in
                try workspace.jobs.cancel(handle.id)
                try handle.advance(by: 1)
                return nil
            }
        }
        let jobs = try workspace.jobs.list()
        #expect(jobs.map(\.state) == [.cancelled, .failed, .done])
        #expect(jobs[1].error == "Line 3 is not JSON.")
    }

    @Test("a job in a bulk write is canceled immediately")
    func cancel() throws {
        let handle = try workspace.jobs.start("import", title: "import")
        try handle.advance(by: 1)
        try workspace.bulkWrite { db in
            try db.execute(sql: "INSERT INTO line (text) VALUES ('a')")
            try workspace.jobs.cancel(handle.id)
            #expect(throws: CancellationError.self) { try handle.advance(by: 1) }
        }
        #expect(handle.isCancelled)
    }

    @Test("progress can be reported inside the transaction that writes the counted rows")
    func insideTransaction() throws {
        let handle = try workspace.jobs.start("import", title: "import", total: 3)
        try workspace.bulkWrite { _ in
            let begin = CrashTests.monotonic()
            // Advance for long enough that the row is due to be written.
            while CrashTests.monotonic() < begin + 0.6 { try handle.advance(by: 1) }
        }
        let done = handle.job.done
        let row = try workspace.read { db in
            try Int64.fetchOne(db, sql: "SELECT done FROM job WHERE id = ?", arguments: [handle.id])
        }
        let saved = try #require(row)
        #expect(saved > 0 && saved <= done)
    }

    @Test("a job can end in the transaction that writes its last rows")
    func atomicEnd() throws {
        let handle = try workspace.jobs.start("import", title: "import")
        try workspace.write { db in
            try db.execute(sql: "INSERT INTO line (text) VALUES ('last')")
            try handle.finish(result: "1", in: db)
        }
        #expect(try workspace.jobs.job(handle.id)?.state == .done)
        #expect(try workspace.lines() == ["last"])
    }

    @Test("observers are notified at most ten times per second and when the job ends")
    func observers() throws {
        let seen = Mutex<[Job.State]>([])
        let stop = workspace.jobs.observe { job in seen.withLock { $0.append(job.state) } }
        let handle = try workspace.jobs.start("import", title: "import")
        for _ in 0..<10_000 { try handle.advance(by: 1) }
        try handle.finish()
        let states = seen.withLock { $0 }
        #expect(states.first == .running)
        #expect(states.last == .done)
        #expect(states.count < 10)
        stop()
        try workspace.jobs.start("import", title: "import").finish()
        #expect(seen.withLock { $0.count } == states.count)
    }

    @Test("a failed job keeps its number when the function registered for its kind resumes it")
    func resume() throws {
        let handle = try workspace.jobs.start("import", title: "import", arguments: #"["a.jsonl"]"#)
        try handle.advance(by: 5, of: 10)
        handle.fail("The disk is full.")
        let failed = try #require(try workspace.jobs.job(handle.id))
        #expect(!workspace.jobs.canResume(failed))
        #expect(throws: WorkspaceError.self) { try workspace.jobs.resume(handle.id) }
        workspace.jobs.register("import") { job, handle in
            #expect(job.arguments == #"["a.jsonl"]"#)
            #expect(job.done == 5)
            try handle.advance(by: 5)
        }
        #expect(workspace.jobs.canResume(failed))
        try workspace.jobs.resume(handle.id)
        let done = try #require(try workspace.jobs.job(handle.id))
        #expect(done.state == .done)
        #expect(done.done == 10)
        #expect(done.error == nil)
        // A finished job cannot be resumed.
        #expect(throws: WorkspaceError.self) { try workspace.jobs.resume(handle.id) }
    }

    @Test("notable progress is written at once, and the rate excludes units from a checkpoint")
    func pausing() throws {
        let handle = try workspace.jobs.start("train", title: "train tide.toml")
        handle.restart(at: 100)
        #expect(handle.rate == nil)
        try handle.advance(by: 1, of: 400, unit: "steps")
        try handle.advance(by: 1, of: 400, unit: "steps", isNotable: true)
        let row = try #require(try workspace.jobs.job(handle.id))
        #expect(row.done == 102 && row.total == 400)
        try handle.finish()
    }

    @Test("a waiting job can be started later or canceled")
    func waiting() throws {
        let waiting = try workspace.jobs.enqueue("index", title: "index the text", total: 100, unit: "spans")
        let unwanted = try workspace.jobs.enqueue("index", title: "index again")
        try workspace.jobs.cancel(unwanted.id)
        #expect(try workspace.jobs.list().map(\.state) == [.cancelled, .waiting])
        workspace.jobs.register("index") { job, handle in
            handle.restart()
            try handle.advance(by: 100)
        }
        #expect(workspace.jobs.canResume(waiting))
        try workspace.jobs.resume(waiting.id)
        #expect(try workspace.jobs.job(waiting.id)?.state == .done)
        #expect(try workspace.jobs.job(waiting.id)?.done == 100)
        try workspace.jobs.remove(unwanted.id)
    }

    @Test("a write with a time limit fails if another thread is still writing, and names its job")
    func patience() async throws {
        let handle = try workspace.jobs.start("import", title: "import session.jsonl")
        let path = workspace.path
        let workspace = workspace
        try workspace.bulkWrite { _ in
            let failure = Mutex<WorkspaceError?>(nil)
            let thread = Worker {
                let error = #expect(throws: WorkspaceError.self) { try workspace.write(within: 10) { _ in } }
                failure.withLock { $0 = error }
            }
            thread.join()
            #expect(
                failure.withLock { $0 }
                    == .busy(path: path, writer: "Another part of this process (import session.jsonl)"))
        }
        try handle.finish()
        try workspace.write(within: 10) { _ in }
    }

    @Test("a running job cannot be removed, but a finished job can")
    func remove() throws {
        let handle = try workspace.jobs.start("import", title: "import")
        let error = #expect(throws: WorkspaceError.self) { try workspace.jobs.remove(handle.id) }
        #expect(
            error?.sentence
                == "\(workspace.path): job \(handle.id) is running in process \(getpid()). Cancel it first.")
        try handle.finish()
        try workspace.jobs.remove(handle.id)
        #expect(try workspace.jobs.job(handle.id) == nil)
    }

    @Test("a job is interrupted if its process ID was reused, but not if it is from another machine")
    func identity() throws {
        try workspace.write { db in
            try db.execute(
                sql: "INSERT INTO job (kind, title, state, created, updated) VALUES ('a', 'lost', 'waiting', 0, 0)")
        }
        let own = try workspace.jobs.start("a", title: "own")
        try workspace.write { db in
            let sql = """
                INSERT INTO job (kind, title, state, machine, pid, process_start, created, updated)
                SELECT 'a', ?, 'running', coalesce(?, machine), pid, process_start - ?, 0, 0 FROM job WHERE title = 'own'
                """
            // This process's ID with an earlier process's start time.
            try db.execute(sql: sql, arguments: ["earlier", nil, 5])
            try db.execute(sql: sql, arguments: ["elsewhere", "other-host boot-id pid:[1]", 0])
        }
        let other = try Notebook.open(workspace.path)
        let states = try other.jobs.list().reduce(into: [String: Job.State]()) { $0[$1.title] = $1.state }
        #expect(
            states == ["lost": .interrupted, "own": .running, "earlier": .interrupted, "elsewhere": .running])
        try own.finish()
    }
}
