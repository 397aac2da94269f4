import Evals
import JSON
import LanguageModels
import ModelLab
import Retrieval
import TestFixtures
import Testing
import Traces
import Workspace

/// A task that can give no figure is refused before anything is asked.
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
        "what, where, what to do",
        arguments: [
            (
                "bare.toml", "prompt = \"{{ q }}\"\n" + rows,
                ": nothing judges the answers. Write [[scorers]], and kind = \"exact\" below it, or another of orrery eval "
                    + "explain scorers."
            ),
            (
                "slices.toml",
                "prompt = \"{{ q }}\"\ntarget = \"1\"\nslices = [\"opp\"]\n" + rows + "[[scorers]]\nkind = \"exact\"\n",
                ", line 3: no sample has the column opp of slices. Did you mean \"op\"?"
            ),
            (
                "targets.toml",
                "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n[[scorers]]\nkind = \"f1\"\n",
                ", line 6: the scorer f1 compares with a target, and no sample has one. Write target = \"{{ answer }}\"."
            ),
            (
                "twice.toml",
                "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n[[scorers]]\nkind = \"steps\"\n",
                ", line 6: two scorers give a score named steps. Write name = \"...\" below one of them."
            ),
            (
                "blank.toml",
                "prompt = \"{{ q }}\"\ntarget = \"\"\n" + rows + "[[scorers]]\nkind = \"regex\"\n",
                ", line 5: the scorer regex compares with a target, and no sample has one. Write target = \"{{ answer }}\", "
                    + "or give the scorer pattern."
            ),
            (
                "ideal.jsonl", #"{"input": "1", "ideal": ""}"# + "\n" + #"{"input": "2"}"# + "\n",
                ": the scorer starts_with compares with a target, and no sample has one. Give every line an ideal."
            ),
            (
                "promptfoo.yaml", "prompts: ['{{q}}']\nproviders: ['openai:m']\ntests:\n  - vars: {q: 1}\n",
                ", line 4: no sample has a check of its own, so that nothing judges the answers. Write assert below each of the tests."
            ),
        ])
    func refused(_ name: String, _ text: String, _ sentence: String) throws {
        #expect {
            try notes(name, text)
        } throws: { error in
            let told = (error as? TaskError)?.sentence ?? "\(error)"
            if told != folder.file(name) + sentence { Issue.record("\(told)") }
            return true
        }
    }

    @Test("where only some samples lack something, it says how many, and goes on")
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
                "1 of 3 samples have no target, or an empty one, for the scorer exact.",
                "2 of 3 samples have no op, and stand together in the slices.",
            ])
        let file = """
            prompts: ['{{q}}']
            tests:
              - vars: {q: 1}
              - vars: {q: 2}
                assert: [{type: contains, value: x}]
            """
        #expect(try notes("some.yaml", file) == ["1 of 2 samples have no check of their own and get no score."])
    }

    @Test(
        "what needs no targets is left alone",
        arguments: [
            "kind = \"regex\"\npattern = \"[0-9]\"\n", "kind = \"contains_any\"\nvalues = [\"x\"]\n",
            "kind = \"steps\"\n", "kind = \"perplexity\"\n", "kind = \"rubric\"\nrubric = \"Is it polite?\"\n",
        ])
    func without(_ scorer: String) throws {
        #expect(try notes("fine.toml", "prompt = \"{{ q }}\"\n" + Self.rows + "[[scorers]]\n" + scorer).isEmpty)
    }

    @Test(
        "a byte order mark and the line ends of other systems change nothing",
        arguments: [
            ("a.toml", "prompt = \"{{ q }}\"\n" + rows + "[[scorers]]\nkind = \"steps\"\n"),
            ("a.jsonl", #"{"input": "1", "ideal": "1"}"# + "\n" + #"{"input": "2", "ideal": "2"}"# + "\n"),
            ("a.yaml", "prompts: ['{{q}}']\ntests:\n  - vars: {q: 1}\n    assert: [{type: contains, value: x}]\n"),
        ])
    func ends(_ name: String, _ text: String) throws {
        #expect(try notes(name, text).isEmpty)
        #expect(try notes(name, "\u{FEFF}" + text.replacing("\n", with: "\r\n")).isEmpty)
    }

    @Test("answers that people judge need no scorer")
    func people() throws {
        let text = "prompts: ['{{q}}']\ntests:\n  - vars: {q: 1}\n    assert: [{type: human, value: good?}]\n"
        #expect(throws: Never.self) { try notes("people.yaml", text) }
    }

    @Test("a scorer says that it needs targets exactly where it gives nothing without one")
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
