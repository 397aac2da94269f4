import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Copies of a workspace")
struct CopyTests {
    let folder = TemporaryFolder()

    private func filled() throws -> Workspace {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try workspace.bulkWrite { db in try CrashTests.addMany(3000, to: db) }
        return workspace
    }

    private func copy(_ workspace: Workspace, compact: Bool, to target: String, job: JobHandle? = nil) throws {
        if compact { try workspace.export(to: target, job: job) } else { try workspace.backup(to: target, job: job) }
    }

    @Test("a copy is one file with the same rows, readable only by its owner", arguments: [false, true])
    func same(compact: Bool) throws {
        let workspace = try filled()
        try workspace.add("still in the log")
        let target = folder.file("copy.orrery")
        try copy(workspace, compact: compact, to: target)
        let again = try Notebook.open(target, create: false)
        #expect(try again.lines() == workspace.lines())
        #expect(try again.check().problems == [])
        #expect(permissions(of: target) == 0o600)
        again.close()
        workspace.close()
        #expect(folder.names == ["copy.orrery", "team.orrery"])
    }

    @Test("copying never overwrites a file", arguments: [false, true])
    func exists(compact: Bool) throws {
        let workspace = try filled()
        let target = folder.file("letter")
        write(Array("Dear Ada".utf8), to: target)
        #expect(throws: WorkspaceError.exists(path: target)) { try copy(workspace, compact: compact, to: target) }
        #expect(throws: WorkspaceError.exists(path: workspace.path)) {
            try copy(workspace, compact: compact, to: workspace.path)
        }
        #expect(bytes(of: target) == Array("Dear Ada".utf8))
    }

    @Test("a copy made during writes is a consistent snapshot", arguments: [false, true])
    func moment(compact: Bool) async throws {
        let workspace = try filled()
        let target = folder.file("copy.orrery")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 0..<50 { try workspace.add("\(number)") } }
            group.addTask { try copy(workspace, compact: compact, to: target) }
            try await group.waitForAll()
        }
        let lines = try Notebook.open(target).lines()
        #expect(lines == Array(try workspace.lines().prefix(lines.count)))
        #expect(lines.count >= 3000)
    }

    @Test("a canceled copy leaves no file", arguments: [false, true])
    func cancelled(compact: Bool) throws {
        let workspace = try filled()
        let job = try workspace.jobs.start("copy", title: "copy")
        job.cancellation.cancel()
        #expect(throws: CancellationError.self) {
            try copy(workspace, compact: compact, to: folder.file("copy.orrery"), job: job)
        }
        #expect(!folder.names.contains { $0.contains("copy") })
    }

    @Test("the job of a backup counts bytes")
    func progress() throws {
        let workspace = try filled()
        let job = try workspace.jobs.start("backup", title: "backup")
        try workspace.backup(to: folder.file("copy.orrery"), job: job)
        #expect(job.job.done == Int64(bytes(of: folder.file("copy.orrery")).count))
        #expect(job.job.fraction == 1)
        #expect(job.job.unit == "bytes")
    }

    @Test("a compact copy has no free pages")
    func compact() throws {
        let workspace = try filled()
        try workspace.write { db in try db.execute(sql: "DELETE FROM line WHERE id > 10") }
        #expect(try workspace.info().freePages > 50)
        try workspace.export(to: folder.file("small.orrery"))
        let small = try Notebook.open(folder.file("small.orrery"))
        #expect(try small.info().freePages == 0)
        #expect(try small.lines() == workspace.lines())
        #expect(try small.info().size < 500_000)
    }

    @Test("copying into a missing folder fails")
    func missingFolder() throws {
        let workspace = try filled()
        let target = folder.file("none/copy.orrery")
        let error = #expect(throws: WorkspaceError.self) { try workspace.backup(to: target) }
        #expect(error?.path == FileLocation.canonical(folder.file("none")))
        #expect(error?.sentence.contains("no such folder. Create it") == true)
    }
}
