import Evals
import TestFixtures
import Testing
import Workspace

@Suite("Versions of prompts")
struct PromptStoreTests {
    @Test("a new text is the next version, a known one keeps its number")
    func versions() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: PromptStore.migrations, create: true)
        let store = PromptStore(workspace)
        #expect(try store.keep("a", as: "p", time: 1).version == 1)
        #expect(try store.keep("b", as: "p", time: 2).version == 2)
        #expect(try store.keep("a", as: "p", time: 3).version == 1)
        #expect(try store.keep("a", as: "q", time: 3).version == 1)
        #expect(try store.versions(of: "p").map(\.text) == ["a", "b"])
        #expect(try store.latest().map(\.text) == ["b", "a"])
    }
}
