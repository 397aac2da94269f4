import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

/// Tests with two real processes and one file: this process, and the child of an exit test.
@Suite("Several processes sharing one workspace")
struct ProcessesTests {
    let folder = TemporaryFolder()
    static let impatient = Workspace.OpeningConditions(patience: 20)

    @Test("other processes can read while one writes, but only one can write")
    func oneWriter() async throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).add("before")
        // A transaction that stays open while the other process runs.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: path, configuration: configuration)
        try await holder.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO line (text) VALUES ('meanwhile')")
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let workspace = try Workspace.open(
                path, migrations: Notebook.migrations, circumstances: ProcessesTests.impatient)
            #expect(try workspace.lines() == ["before"])
            #expect(throws: WorkspaceError.busy(path: path, writer: nil)) { try workspace.add("too early") }
            #expect(throws: WorkspaceError.busy(path: path, writer: nil)) { try workspace.bulkWrite { _ in } }
            // Setting a state value succeeds: the value waits until the file is free.
            workspace.state.set("screen", to: "1")
            #expect(try workspace.state.value("screen") == "1")
        }
        try await holder.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let workspace = try Notebook.open(path)
            #expect(try workspace.lines() == ["before", "meanwhile"])
            try workspace.add("after")
        }
        #expect(try Notebook.open(path).lines() == ["before", "meanwhile", "after"])
    }

    @Test("the error names the job and the process that is writing")
    func namedWriter() async throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        let job = try workspace.jobs.start("import", title: "import session.jsonl")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: path, configuration: configuration)
        try await holder.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let workspace = try Workspace.open(
                path, migrations: Notebook.migrations, circumstances: ProcessesTests.impatient)
            let error = #expect(throws: WorkspaceError.self) { try workspace.add("too early") }
            let sentence = "Process \(getppid()) (import session.jsonl) is writing to \(path). "
            #expect(error.map { $0.sentence.hasPrefix(sentence) } == true)
        }
        try await holder.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        try job.finish()
    }

    @Test("a process can list and cancel jobs of another process but not remove or resume them")
    func jobs() async throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        let job = try workspace.jobs.start("import", title: "import session.jsonl")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let workspace = try Notebook.open(path)
            let job = try #require(try workspace.jobs.list().first)
            #expect(job.state == .running)
            #expect(job.pid == getppid())
            #expect(throws: WorkspaceError.self) { try workspace.jobs.remove(job.id) }
            #expect(!workspace.jobs.canResume(job))
            try workspace.jobs.cancel(job.id)
        }
        #expect(!job.isCancelled)
        // The cancellation is read when progress is next written, half a second after the previous write.
        #expect(throws: CancellationError.self) { while true { try job.advance(by: 1) } }
        job.cancelled()
        #expect(try workspace.jobs.job(job.id)?.state == .cancelled)
    }
}
