import GRDB
import TestFixtures
import Testing
import Workspace

@Suite("Workspace state")
struct StateTests {
    let folder = TemporaryFolder()

    @Test("values persist when the workspace is reopened")
    func persists() throws {
        let path = folder.file("team.orrery")
        let workspace = try Notebook.open(path)
        #expect(try workspace.state.value("screen") == nil)
        workspace.state.set("screen", to: #"{"panel": 1}"#)
        workspace.state.set("screen", to: #"{"panel": 2}"#)
        workspace.state.set("theme", to: #""dark""#)
        workspace.state.set("theme", to: nil)
        #expect(try workspace.state.value("screen") == #"{"panel": 2}"#)
        workspace.close()
        let again = try Notebook.open(path)
        #expect(try again.state.value("screen") == #"{"panel": 2}"#)
        #expect(try again.state.value("theme") == nil)
    }

    @Test("a value set during a transaction is visible at once and written afterward")
    func duringWrite() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        let sql = "SELECT value FROM state WHERE key = 'screen'"
        try workspace.bulkWrite { db in
            workspace.state.set("screen", to: "1")
            let (seen, written) = (try workspace.state.value("screen"), try String.fetchOne(db, sql: sql))
            #expect(seen == "1")
            #expect(written == nil)
        }
        #expect(try workspace.read { db in try String.fetchOne(db, sql: sql) } == "1")
    }

    @Test("a value set in a failing transaction is not lost")
    func failingWrite() throws {
        struct Failure: Error {}
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try? workspace.write { _ in
            workspace.state.set("screen", to: "1")
            throw Failure()
        }
        #expect(try Notebook.open(workspace.path).state.value("screen") == "1")
    }

    @Test("the last value set by any connection wins")
    func otherProcess() throws {
        let first = try Notebook.open(folder.file("team.orrery"))
        let second = try Notebook.open(first.path)
        first.state.set("screen", to: "1")
        second.state.set("screen", to: "2")
        #expect(try first.state.value("screen") == "2")
    }

    @Test("a value set in a read-only workspace lasts until the workspace is closed")
    func readOnly() throws {
        try Notebook.open(folder.file("team.orrery")).close()
        let workspace = try Notebook.open(folder.file("team.orrery"), access: .readOnly)
        workspace.state.set("screen", to: "1")
        #expect(try workspace.state.value("screen") == "1")
        workspace.close()
        #expect(try Notebook.open(folder.file("team.orrery")).state.value("screen") == nil)
    }
}
