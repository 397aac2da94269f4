import EvalLogs
import Evals
import JSON
import LanguageModels
import System
import TestFixtures
import Testing

@Suite("Orrery task files")
struct OrreryTaskTests {
    let folder = TemporaryFolder()
    private static let goldens = "Tests/EvalsTests/Goldens/tasks"
    private static let data = "../shared/data/evals"

    private func tasks(_ text: String, _ options: TaskLoading = TaskLoading()) throws -> [EvalTask] {
        let path = folder.unique("task") + ".toml"
        File.write(text, to: path)
        return try TaskFormats.load(path, options)
    }

    private static let capitals = """
        prompt = "Capital of {{ country }}?"
        target = "{{ city }}"
        [data]
        rows = [{ country = "Peru", city = "Lima" }, { country = "Chile", city = "Santiago" }, { country = "Japan", city = "Tokyo" }]
        [[scorers]]
        kind = "contains"
        """

    @Test("a page of TOML becomes samples with prompts and targets")
    func plain() throws {
        let task = try #require(try tasks(Self.capitals).first)
        #expect(task.samples.map(\.id) == ["1", "2", "3"])
        #expect(task.samples.map(\.targets) == [["Lima"], ["Santiago"], ["Tokyo"]])
        let asked = ModelRequest(
            .messages([Message(.user, [.text("Capital of Peru?")])], tools: []),
            sampling: Sampling(temperature: 0, maximumTokens: 256))
        #expect(task.samples[0].request == .generation(asked))
        #expect(task.scorers.map(\.kind) == ["contains"])
    }

    @Test(
        "examples never contain the sample itself, and depend only on the seed", arguments: ["first", "random"])
    func fewShot(sampler: String) throws {
        let text = Self.capitals + "\n[few_shot]\ncount = 2\nsampler = \"\(sampler)\"\n"
        let task = try #require(try tasks(text).first)
        for sample in task.samples {
            guard case .generation(let request) = sample.request, case .messages(let messages, _) = request.input else {
                Issue.record("no conversation")
                continue
            }
            let texts = messages.map(AnnotatedSpans.text)
            #expect(texts.count == 5 && Set(texts).count == 5)
            #expect(texts.filter { $0 == sample.targets[0] }.isEmpty)
        }
        #expect(try tasks(text).first?.samples == task.samples)
        #expect(throws: Problem.self) { try self.tasks(text, TaskLoading(fewShot: 3)) }
    }

    @Test("variants of a prompt and a matrix become one task each")
    func variants() throws {
        let text =
            Self.capitals
            + "\n[matrix]\ntemperature = [0, 0.5]\n[[prompts]]\nname = \"short\"\n[[prompts]]\nname = \"long\"\nprompt = \"Please: {{ country }}\"\n"
        let all = try tasks(text)
        #expect(
            all.map { $0.settings.map(\.value) } == [
                ["short", "0"], ["short", "0.5"], ["long", "0"], ["long", "0.5"],
            ])
        #expect(try tasks(text, TaskLoading(prompts: ["long"])).count == 2)
    }

    @Test(
        "choices are found by text, index, and letter", arguments: [("\"{{ city }}\"", 1), ("\"1\"", 1), ("\"B\"", 1)])
    func choices(right: String, place: Int) throws {
        let text = """
            kind = "choice"
            prompt = "Capital of {{ country }}?"
            choices = ["Quito", "Lima"]
            right = \(right)
            [data]
            rows = [{ country = "Peru", city = "Lima" }]
            """
        let sample = try #require(try tasks(text).first?.samples.first)
        #expect(sample.rightChoice == place && sample.targets == ["Lima"])
        #expect(
            sample.request
                == .choice(context: "Capital of Peru?", continuations: [" Quito", " Lima"], alone: false))
    }

    @Test(
        "errors have their line and a suggestion",
        arguments: [
            ("promt = \"x\"\n[data]\nrows = [{ a = 1 }]", 1, "unknown key promt", "Did you mean \"prompt\"?"),
            ("prompt = \"x\"\n[data]\nfile = 7", 3, "data.file must be a string in quotes", ""),
            (
                "prompt = \"x\"\nkind = \"chioce\"\n[data]\nrows = []", 2,
                "kind must be one of generate, choice, likelihood, rolling, turns, retrieval, agent, program, recorded, not \"chioce\"",
                "Did you mean \"choice\"?"
            ),
            (
                "prompt = \"x\"\n[data]\nrows = [{ a = 1 }]\n[[scorers]]\nkind = \"exact\"\n[[scorers]]\nkind = \"exakt\"",
                6, "unknown scorer \"exakt\"", "Did you mean \"exact\"?"
            ),
            (
                "prompt = \"{{ b }}\"\n[data]\nrows = [{ a = 1 }]", 1,
                "prompt cannot be rendered for row 1 (line 3): Template, line 1, column 4: `b` is undefined: the row has row, a",
                nil
            ),
            (
                "prompt = \"x\"\nid = \"same\"\n[data]\nrows = [{ a = 1 }, { a = 2 }]", 2,
                "rows 1 and 2 have the same id, \"same\"", nil
            ),
        ] as [(String, Int, String, String?)])
    func wrong(text: String, line: Int, problem: String, remedy: String?) {
        do {
            _ = try tasks(text)
            Issue.record("it was read")
        } catch {
            let error = error as? Problem
            #expect(error?.subject.hasSuffix(", line \(line)") == true)
            #expect(error?.what == problem)
            if let remedy { #expect(error?.remedy == remedy) }
        }
    }

    @Test("the page that explains every key is valid TOML")
    func explanation() throws {
        for key in TaskKey.all { #expect(OrreryTaskFormat.explanation.contains("\(key.word) =")) }
        #expect(Set(TaskKey.all.map(\.name)).count == TaskKey.all.count)
        for key in TaskKey.all { if let standard = key.standard { #expect(key.accepts(standard), "\(key.name)") } }
    }

    @Test(
        "tasks of known test sets load",
        arguments: [
            ("gsm8k", 200, ["18"]), ("svamp", 1_000, ["51.0"]), ("bbh", 250, ["(B)"]), ("humaneval", 164, nil),
        ] as [(String, Int, [String]?)])
    func known(name: String, count: Int, targets: [String]?) throws {
        guard File.bytes(Self.data + "/svamp/SVAMP.json") != nil else {
            print("skipped: no \(Self.data)")
            return
        }
        let task = try #require(
            try TaskFormats.load("\(Self.goldens)/\(name).toml", TaskLoading(dataFolder: Self.data)).first)
        #expect(task.samples.count == count)
        if let targets { #expect(task.samples[0].targets == targets) }
    }

    @Test("the tasks of the sample data load")
    func samples() throws {
        let tasks = try TaskFormats.load("sample-data/evals")
        #expect(tasks.map(\.name) == ["classification-recorded", "classification", "reading", "retrieval", "tools"])
        #expect(tasks.map(\.samples.count) == [200, 200, 120, 60, 60])
        guard case .agent(let question) = tasks[4].samples[0].request else {
            Issue.record("no agent")
            return
        }
        #expect(question.facts == [.init("age of Braelvik", "93")] && question.tools == ["calculator", "lookup"])
    }
}
