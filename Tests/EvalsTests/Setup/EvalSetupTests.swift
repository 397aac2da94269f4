import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import ModelLab
import Retrieval
import System
import TestFixtures
import Testing
import Traces
import Workspace

/// Setups of runs, stored and opened again.
struct EvalSetupTests {
    private let folder = TemporaryFolder()
    private let workspace: Workspace
    private let task: String

    init() throws {
        workspace = try Workspace.open(
            folder.file("w.orrery"),
            migrations: TraceStore.migrations + Retrieval.migrations + ModelLab.migrations + Evals.migrations,
            create: true)
        // OpenAI's format needs only a file of lines.
        task = folder.file("sums.jsonl")
        File.write(#"{"input": "1 + 1", "ideal": "2"}"# + "\n" + #"{"input": "2 + 2", "ideal": "4"}"# + "\n", to: task)
    }

    @Test("a setup survives JSON")
    func roundTrip() throws {
        let options = EvalOptions(
            name: "n", concurrency: 3, isAdaptive: false, limit: 5, only: ["b", "a"], epochs: 2, seed: .max,
            usesCache: false, retries: 1,
            budget: EvalBudget(requests: 1, tokens: 2, cost: 0.1, seconds: 1e9 + 0.5), group: "g")
        let setup = EvalSetup(
            task: "t.toml", models: ["scripted:x", "openai:m"], judge: "j", embedder: "e", prompts: ["p", "q"],
            fewShot: 4, variables: [.init(key: "k", value: .array([.null, .string("v")]))],
            parameters: [EvalParameter(.temperature, [0, 0.7]), EvalParameter(.maximumTokens, [64])],
            alternatives: 5, programSeconds: 2.5, options: options)
        #expect(EvalSetup(arguments: [setup.json()]) == setup)
        let plain = EvalSetup(task: "t", models: [])
        #expect(EvalSetup(arguments: [plain.json()]) == plain)
    }

    @Test("names of runs in a group contain only their differences")
    func names() throws {
        func names(_ setup: EvalSetup) throws -> [String?] { try setup.orders(in: workspace).map(\.options.name) }
        let temperatures = [EvalParameter(.temperature, [0, 0.5])]
        #expect(
            try names(EvalSetup(task: task, models: ["scripted:a", "scripted:b"], parameters: temperatures))
                == [
                    "sums, scripted:a, temperature 0", "sums, scripted:a, temperature 0.5",
                    "sums, scripted:b, temperature 0", "sums, scripted:b, temperature 0.5",
                ])
        let named = EvalOptions(name: "mine")
        #expect(
            try names(EvalSetup(task: task, models: ["scripted:a"], parameters: temperatures, options: named))
                == ["mine, temperature 0", "mine, temperature 0.5"])
        #expect(
            try names(EvalSetup(task: task, models: ["scripted:a", "scripted:a"])) == ["sums", "sums, 2"])
        #expect(try names(EvalSetup(task: task, models: ["scripted:a"])) == [nil])
        #expect(try names(EvalSetup(task: task, models: ["scripted:a"], options: named)) == ["mine"])
    }

    @Test("a job that was stopped resumes its runs", arguments: [nil, EvalStore.workbenchJob])
    func resumedJob(kind: String?) throws {
        let order = try #require(try EvalSetup(task: task, models: ["scripted:4"]).orders(in: workspace).first)
        let handle = try kind.map { try workspace.jobs.start($0, title: "eval sums") }
        let runner = try EvalRunner(order, workspace: workspace)
        runner.controls.cancel()
        #expect(try runner.run(job: handle).state == .cancelled)
        handle?.cancelled()
        let job = try #require(try workspace.jobs.list().first)
        EvalStore(workspace).registerJobs { .builtIn }
        #expect(workspace.jobs.canResume(job))
        try workspace.jobs.resume(job.id)
        #expect(try workspace.jobs.list().map(\.state) == [.done])
        let run = try EvalStore(workspace).find("latest")
        #expect(run.state == .done && run.completed == 2)
        #expect(throws: WorkspaceError.self) { try workspace.jobs.resume(job.id) }
    }

    @Test("a run of a task with variants resumes its own variant")
    func variants() throws {
        let path = folder.file("variants.toml")
        File.write(
            """
            target = "4"
            [data]
            rows = [{ q = "2 + 2" }]
            [[prompts]]
            name = "short"
            prompt = "{{ q }}"
            [[prompts]]
            name = "long"
            prompt = "What is {{ q }}?"
            [matrix]
            temperature = [0.0, 0.7]
            [[scorers]]
            kind = "exact"
            """, to: path)
        let orders = try EvalSetup(task: path, models: ["scripted:4"]).orders(in: workspace)
        #expect(
            orders.map(\.options.name) == [
                "variants, short, temperature 0", "variants, short, temperature 0.7", "variants, long, temperature 0",
                "variants, long, temperature 0.7",
            ])
        for order in orders {
            let run = try EvalRunner(order, workspace: workspace).run()
            let number = try #require(Int64(run.key))
            let detail = try #require(try EvalStore(workspace).detail(number))
            let again = try #require(EvalSetup(arguments: detail.arguments)).order(of: detail.run, in: workspace)
            #expect(again.task.samples == order.task.samples)
            // The samples of another variant would be an error here.
            #expect(throws: Never.self) { try EvalRunner(resuming: number, again, workspace: workspace) }
        }
    }

    @Test("local models store five alternatives of every token by default")
    func alternatives() throws {
        func identity(_ word: String, _ alternatives: Int?) throws -> String {
            try EvalSetup(task: task, models: [word], alternatives: alternatives).orders(in: workspace)[0].solver
                .identity
        }
        // The built-in model is known even in an empty workspace.
        #expect(try identity("orrery-mini", nil) == identity("orrery-mini", 5))
        #expect(try identity("orrery-mini", nil) != identity("orrery-mini", 0))
        #expect(try identity("scripted:a", nil) == identity("scripted:a", 0))
        #expect(throws: Problem.self) { try identity("orrery-maxi", nil) }
    }

    @Test(
        "other arguments are not a setup", arguments: [[], ["{}"], ["eval", "run"], ["{\"task\": 1}"], ["not JSON"]])
    func foreign(_ arguments: [String]) { #expect(EvalSetup(arguments: arguments) == nil) }

    @Test(
        "a matrix expands models, then parameters, the last one fastest; each order stores its own setup in the group")
    func matrix() throws {
        let setup = EvalSetup(
            task: task, models: ["scripted:a", "scripted:b"],
            parameters: [
                EvalParameter(.temperature, [0, 0.5]), EvalParameter(.topP, []),
                EvalParameter(.maximumTokens, [8, 16]),
            ])
        let orders = try setup.orders(in: workspace)
        func sampling(_ order: EvalOrder) -> Sampling? {
            if case .generation(let request) = order.task.samples[0].request { request.sampling } else { nil }
        }
        #expect(
            orders.map { "\($0.solver.name) \(sampling($0)?.temperature ?? -1) \(sampling($0)?.maximumTokens ?? -1)" }
                == [
                    "scripted:a 0.0 8", "scripted:a 0.0 16", "scripted:a 0.5 8", "scripted:a 0.5 16",
                    "scripted:b 0.0 8", "scripted:b 0.0 16", "scripted:b 0.5 8", "scripted:b 0.5 16",
                ])
        let group = try #require(orders[0].options.group)
        #expect(orders.allSatisfy { $0.options.group == group })
        for order in orders {
            let kept = try #require(EvalSetup(arguments: order.arguments))
            let again = try kept.orders(in: workspace)
            #expect(again.count == 1)
            #expect(again[0].options == order.options)
            #expect(again[0].solver.identity == order.solver.identity)
            #expect(again[0].task.samples == order.task.samples)
            #expect(again[0].arguments == order.arguments)
        }
        #expect(try EvalSetup(task: task, models: ["scripted:a"]).orders(in: workspace)[0].options.group == nil)
    }

    @Test(
        "values out of range are errors",
        arguments: [
            EvalParameter(.maximumTokens, [1.5]), EvalParameter(.maximumTokens, [.infinity]),
            EvalParameter(.seed, [-1]),
            EvalParameter(.maximumTokens, [0]), EvalParameter(.seed, [1e300]), EvalParameter(.temperature, [.nan]),
            EvalParameter(.topP, [0]),
        ])
    func refused(_ parameter: EvalParameter) {
        let setup = EvalSetup(task: task, models: ["scripted:a"], parameters: [parameter])
        #expect(throws: Problem.self) { try setup.orders(in: workspace) }
    }

    @Test("another file at the same path is another model, for a program and its script")
    func identities() throws {
        let script = folder.file("p.sh")
        for (word, path) in [("exec:/bin/sh \(script)", script), ("exec:\(script)", script)] {
            func identity() throws -> String {
                try EvalSetup(task: task, models: [word]).orders(in: workspace)[0].solver.identity
            }
            File.write("one", to: path)
            chmod(path, 0o755)
            let first = try identity()
            #expect(try identity() == first)
            File.write("another one", to: path)
            #expect(try identity() != first)
        }
    }
}
