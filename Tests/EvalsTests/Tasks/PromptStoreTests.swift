import EvalLogs
import Evals
import TestFixtures
import Testing
import Workspace

@Suite("Versions of prompts")
struct PromptStoreTests {
    @Test("a new text is the next version; a known text keeps its number")
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

    @Test("prompts of promptfoo and lm-eval files are stored too, and the text of a run is found again")
    func formats() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(folder.file("w.orrery"), migrations: Evals.migrations, create: true)
        let path = folder.file("p.yaml")
        func run(_ text: String) throws -> EvalRun {
            File.write(text, to: path)
            let task = try #require(try TaskFormats.load(path, TaskLoading(workspace: workspace)).first)
            return EvalRun(
                key: "1", name: "r", task: task.name, model: "m", format: task.format, state: .done,
                settings: task.settings)
        }
        func promptfoo(_ prompt: String) -> String { "prompts: ['\(prompt)']\ntests:\n  - vars: { a: b }\n" }
        let store = PromptStore(workspace)
        let first = try run(promptfoo("Say {{a}}"))
        let second = try run(promptfoo("Write {{a}}"))
        #expect(try store.prompt(of: first)?.text == "Say {{a}}")
        #expect(try store.prompt(of: second).map { "\($0.version) \($0.text)" } == "2 Write {{a}}")
        File.write(#"[{"q": "2+2", "a": "4"}]"#, to: folder.file("d.json"))
        let harness = try run(
            """
            task: sums
            dataset_path: json
            dataset_kwargs: { data_files: { test: d.json } }
            test_split: test
            doc_to_text: "Q: {{q}}"
            doc_to_target: "{{a}}"
            output_type: generate_until
            """)
        #expect(try store.prompt(of: harness)?.text.contains("doc_to_text: Q: {{q}}") == true)
        #expect(
            try store.prompt(of: EvalRun(key: "2", name: "r", task: "t", model: "m", format: "x", state: .done)) == nil)
    }
}
