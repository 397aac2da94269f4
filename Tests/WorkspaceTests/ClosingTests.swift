import Dispatch
import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

@Suite("Closing a workspace")
struct ClosingTests {
    let folder = TemporaryFolder()

    private var path: String { folder.file("team.orrery") }

    /// Returns the lines in a copy of only the main file.
    private func linesOfCopy() throws -> [String] {
        write(bytes(of: path), to: folder.file("copy.orrery"))
        defer { unlink(folder.file("copy.orrery")) }
        let copy = try Notebook.open(folder.file("copy.orrery"))
        defer { copy.close() }
        return try copy.lines()
    }

    @Test("closing leaves one file with all data")
    func oneFile() throws {
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        workspace.close()
        #expect(folder.names == ["team.orrery"])
        #expect(try linesOfCopy() == ["plan"])
    }

    @Test("closing interrupts a read on another thread and empties the log")
    func interrupted() throws {
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
            #expect(throws: CancellationError.self) {
                try workspace.read { db in
                    started.signal()
                    _ = try Int.fetchOne(db, sql: endless)
                }
            }
            ended.signal()
        }
        started.wait()
        workspace.close()
        #expect(ended.wait(timeout: .now() + 10) == .success)
        #expect(try linesOfCopy() == ["plan"])
    }

    @Test("closing copies all data into the file while another connection reads an older snapshot")
    func otherReader() throws {
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { db in
            try db.beginTransaction(.deferred)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM line") == 1)
        }
        workspace.close()
        #expect(try linesOfCopy() == ["plan"])
        try other.inDatabase { db in try db.commit() }
        try other.close()
    }

    @Test("the log of a killed process is reported until its changes are in the file")
    func leftLog() throws {
        let workspace = try Notebook.open(path)
        try workspace.add("plan")
        for name in ["team.orrery", "team.orrery-wal"] {
            write(bytes(of: folder.file(name)), to: folder.file("killed" + name.dropFirst(4)))
        }
        workspace.close()
        let killed = try Notebook.open(folder.file("killed.orrery"), access: .readOnly)
        #expect(try killed.info().logWarning?.contains("of changes are in the log next to the file") == true)
        #expect(try killed.lines() == ["plan"])
        killed.close()
        #expect(try Notebook.open(folder.file("killed.orrery")).info().logWarning == nil)
    }
}
