import EvalLogs
import Evals
import JSON
import LanguageModels
import ModelLab
import Retrieval
import System
import TestFixtures
import Testing
import Traces
import Workspace

/// A task without any possible figure is an error before the first request.
struct TaskFigureTests {
    private let folder = TemporaryFolder()
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace.open(
            folder.file("w.orrery"),
            migrations: TraceStore.migrations + Retrieval.migrations + ModelLab.migrations + Evals.migrations,
            create: true)
    }

    private func notes(_ name: String, _ text: String) throws -> [String] {
        let path = folder.file(name)
        File.write(text, to: path)
        return try EvalSetup(task: path, models: ["scripted:x"]).orders(in: workspace)[0].task.notes
    }

    private static let rows = """
        [data]
        rows = [{ q = "1", answer = "1", op = "a" }, { q = "2", answer = "2", op = "b" }]

        """

    @Test(
        "errors have subject, place, and remedy",
        arguments: [
            (
                "bare.toml", "prompt = \"{{ q }}\"\n" + rows,
                ": the task has no scorers. Write [[scorers]] with kind = \"exact\" below it, or another kind that orrery "
                    + "eval explain scorers lists."
            ),
            (
                "slices.toml",
                "prompt = \"{{ q }}\"\ntarget = \"1\"\nslices = [\"opp\"]\n" + rows + "[[scorers]]\nkind = \"exact\"\n",
                ", line 3: no sample has the column opp named in slices. Did you mean \"op\"?"
            ),
            (
                "targets.toml",
                "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n[[scorers]]\nkind = \"f1\"\n",
                ", line 6: the scorer f1 compares with a target, but no sample has one. Write target = \"{{ answer }}\"."
            ),
            (
                "twice.toml",
                "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n[[scorers]]\nkind = \"steps\"\n",
                ", line 6: two scorers have a score named steps. Write name = \"...\" below one of them."
            ),
            (
                "blank.toml",
                "prompt = \"{{ q }}\"\ntarget = \"\"\n" + rows + "[[scorers]]\nkind = \"regex\"\n",
                ", line 5: the scorer regex compares with a target, but no sample has one. Write target = \"{{ answer }}\", "
                    + "or set pattern of the scorer."
            ),
            (
                "ideal.jsonl", #"{"input": "1", "ideal": ""}"# + "\n" + #"{"input": "2"}"# + "\n",
                ": the scorer starts_with compares with a target, but no sample has one. Add an ideal to every line."
            ),
            (
                "promptfoo.yaml", "prompts: ['{{q}}']\nproviders: ['openai:m']\ntests:\n  - vars: {q: 1}\n",
                ", line 4: no sample has checks, so the answers cannot be scored. Add assert to each test."
            ),
        ])
    func refused(_ name: String, _ text: String, _ sentence: String) throws {
        #expect {
            try notes(name, text)
        } throws: { error in
            let told = (error as? Problem)?.sentence ?? "\(error)"
            if told != folder.file(name) + sentence { Issue.record("\(told)") }
            return true
        }
    }

    @Test("if only some samples lack something, a note has their number")
    func some() throws {
        let text = """
            prompt = "{{ q }}"
            target = "{{ answer }}"
            slices = ["op"]
            [data]
            rows = [{ q = "1", answer = "1", op = "a" }, { q = "2", answer = "" }, { q = "3", answer = "3" }]
            [[scorers]]
            kind = "exact"
            """
        #expect(
            try notes("some.toml", text) == [
                "1 of 3 samples have no target or an empty target for the scorer exact.",
                "2 of 3 samples have no op and form a slice of their own.",
            ])
        let file = """
            prompts: ['{{q}}']
            tests:
              - vars: {q: 1}
              - vars: {q: 2}
                assert: [{type: contains, value: x}]
            """
        #expect(try notes("some.yaml", file) == ["1 of 2 samples have no checks and get no score."])
    }

    @Test(
        "tasks that need no targets load",
        arguments: [
            "kind = \"regex\"\npattern = \"[0-9]\"\n", "kind = \"contains_any\"\nvalues = [\"x\"]\n",
            "kind = \"steps\"\n", "kind = \"perplexity\"\n", "kind = \"rubric\"\nrubric = \"Is it polite?\"\n",
        ])
    func without(_ scorer: String) throws {
        #expect(try notes("fine.toml", "prompt = \"{{ q }}\"\n" + Self.rows + "[[scorers]]\n" + scorer).isEmpty)
    }

    @Test(
        "byte order marks and other line ends change nothing",
        arguments: [
            ("a.toml", "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n"),
            ("a.jsonl", #"{"input": "1", "ideal": "1"}"# + "\n" + #"{"input": "2", "ideal": "2"}"# + "\n"),
            ("a.yaml", "prompts: ['{{q}}']\ntests:\n  - vars: {q: 1}\n    assert: [{type: contains, value: x}]\n"),
        ])
    func ends(_ name: String, _ text: String) throws {
        #expect(try notes(name, text).isEmpty)
        #expect(try notes(name, "\u{FEFF}" + text.replacing("\n", with: "\r\n")).isEmpty)
    }

    @Test("answers rated by people need no scorer")
    func people() throws {
        let text = "prompts: ['{{q}}']\ntests:\n  - vars: {q: 1}\n    assert: [{type: human, value: good?}]\n"
        #expect(throws: Never.self) { try notes("people.yaml", text) }
    }

    @Test("a scorer declares that it needs targets exactly if it has no value without one")
    func kinds() throws {
        let sample = TaskSample(
            id: "1", request: .generation(ModelRequest(.text("q"))),
            fields: .object([.init(key: "q", value: .string("1"))]))
        var judged = 0
        for kind in Scorers.kinds {
            guard let scorer = try? Scorers.make(ScorerChoice(kind.name)) else { continue }
            let score = scorer.score(Solution(answers: ["1"]), of: sample, in: ScoringRoom()).first
            if kind.needsTargets {
                #expect(score?.value == nil, "\(kind.name)")
                judged += 1
            } else {
                #expect(score?.problem != "the sample has no target", "\(kind.name)")
            }
        }
        #expect(judged >= 15)
    }
}
