import ArgumentParser
import Console
import Evals
import Glibc
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Ask every sample of a task, and keep each answer as soon as it is there.",
            discussion: """
                TASK is a task file: our own TOML (orrery eval explain task), YAML of lm-evaluation-harness or promptfoo, \
                or JSON lines of OpenAI evals. Several models, prompts or values of --param make a run of each \
                combination. Whatever cuts a run off, orrery eval resume goes on without asking anything twice.

                It ends with 0 where every sample was answered and scored; with 1 where samples ended in an error, a score \
                has no value, or the run was stopped, by ^C or a spent budget too; with 64 where the command is wrong; with \
                130 where a second ^C ended it at once. What was done is kept in each case.

                orrery eval run sample-data/evals/reading.toml --model orrery-mini
                orrery eval run gsm8k.yaml --model http://127.0.0.1:8080/v1#qwen3 --concurrency 32 --limit 200
                orrery eval run task.toml --model exec:./my-agent --max-cost 2.50 --judge openai:gpt-4o-mini
                """)

        @Argument(help: "The task's file.", completion: .file())
        var task: String

        @OptionGroup var choice: EvalChoiceOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let workspace = try place.open()
                let setup = choice.setup(task: EvalPaths.absolute(task), limits)
                // What a group cannot aggregate is told before anything is asked.
                let group = try LMEvalGroup(path: setup.task)
                let orders = try setup.orders(in: workspace)
                var screen = EvalScreen(report, count: orders.count)
                var runs: [EvalRun] = []
                for order in orders {
                    for note in order.task.notes { Output.note("\(order.task.name): \(note)") }
                    runs.append(
                        try screen.follow(try EvalRunner(order, workspace: workspace), in: workspace, order: order))
                }
                let groups = EvalGroupRuns(group, runs, orders)
                if let groups, !report.output.json { Output.result(groups.text) }
                if let groups, let folder = report.lmEval { try groups.export(to: folder, from: workspace) }
                try screen.finish(groups: groups?.reports ?? [])
            }
        }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Go on with a run that was cut off, cancelled or out of budget.",
            discussion: """
                What is done is not asked again. --errors also asks again what ended in an error. It ends with 0, 1, 64 or \
                130 as orrery eval run does.
                """)

        @OptionGroup var argument: EvalRunArgument

        @Flag(help: "Ask again what ended in an error.")
        var errors = false

        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let workspace = try place.openExisting()
                let store = EvalStore(workspace)
                let number = try argument.find(in: store)
                guard let detail = try store.detail(number), var setup = EvalSetup(arguments: detail.arguments) else {
                    throw Failure(
                        "run \(argument.word) does not tell how it was begun: start it anew with orrery eval run.")
                }
                setup.options = limits.applied(to: setup.options)
                setup.programSeconds = limits.programSeconds ?? setup.programSeconds
                let order = try setup.order(of: detail.run, in: workspace)
                let isWhole = detail.run.state == .done && detail.run.completed == detail.run.total
                if isWhole, !errors { Output.note("run \(number): nothing was left to ask.") }
                var screen = EvalScreen(report, count: 1)
                let runner = try EvalRunner(
                    resuming: number, order, again: errors ? .errors : .rest, workspace: workspace)
                try screen.follow(runner, in: workspace, order: order)
                try screen.finish()
            }
        }
    }
}

/// Who answers, who judges, and which variants.
struct EvalChoiceOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .singleValue,
        help: "Who answers: a name, a file, an address, exec:PROGRAM; several times for several runs.")
    var model: [String] = []

    @Option(help: "The model that judges, for scorers that need one.")
    var judge: String?

    @Option(help: "What makes vectors, for scorers that compare meanings: hashed, a model's folder, an address.")
    var embedder: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: "A variant of the prompt that the task names; several times for several runs.")
    var prompt: [String] = []

    @Option(
        name: .long, parsing: .singleValue, help: "Sampling to try: temperature=0,0.7; also top_p, max_tokens, seed.")
    var param: [EvalParameterWord] = []

    @Option(name: .long, parsing: .singleValue, help: "A value that the task's templates find by name: NAME=VALUE.")
    var set: [NamedValue] = []

    @Option(help: "Examples before each question, instead of the task's own count.")
    var fewShot: Int?

    @Option(
        help: """
            Keep so many alternatives of every token, for the tokens panel: by itself 5 of models on this machine, and \
            none of others.
            """)
    var alternatives: Int?

    @Option(help: "What the run is called.")
    var name: String?

    func validate() throws {
        guard (0...1_000_000).contains(fewShot ?? 0) else { throw ValidationError("--few-shot takes 0 to 1000000.") }
        guard (0...20).contains(alternatives ?? 0) else { throw ValidationError("--alternatives takes 0 to 20.") }
    }

    func setup(task: String, _ limits: EvalLimitOptions) -> EvalSetup {
        var options = limits.applied(to: EvalOptions())
        options.name = name
        return EvalSetup(
            task: task, models: model, judge: judge, embedder: embedder, prompts: prompt, fewShot: fewShot,
            variables: set.map { .init(key: $0.name, value: .string($0.value)) }, parameters: param.map(\.parameter),
            alternatives: alternatives, programSeconds: limits.programSeconds, options: options)
    }
}

/// How much is asked, and how fast.
struct EvalLimitOptions: ParsableArguments {
    @Option(help: "The most samples at work at the same time.")
    var concurrency: Int?

    @Flag(inversion: .prefixedNo, help: "Ask fewer at once while the other side refuses or fails.")
    var adaptive = true

    @Option(help: "Only the first so many samples.")
    var limit: Int?

    @Option(name: .long, parsing: .singleValue, help: "Only the sample of this name; several times for several.")
    var only: [String] = []

    @Option(help: "How often each sample is asked, instead of the task's own count.")
    var epochs: Int?

    @Option(help: "Decides every choice by lot.")
    var seed: UInt64?

    @Flag(inversion: .prefixedNo, help: "Take answers to the same question from earlier runs.")
    var cache = true

    @Option(help: "How often a sample is asked again after a failure that may pass.")
    var retries: Int?

    @Option(help: "Stop after so many requests.")
    var maxRequests: Int?

    @Option(help: "Stop after so many tokens, read and written.")
    var maxTokens: Int?

    @Option(help: "Stop when it has cost so many dollars.")
    var maxCost: Double?

    @Option(help: "Stop after so many seconds.")
    var maxSeconds: Double?

    @Option(
        help: """
            How many seconds a program may take for a sample: exec: models and scorers of kind exec; else what the task \
            says, or 60.
            """)
    var programSeconds: Double?

    func validate() throws {
        let programMost = ProgramLimits.mostSeconds
        let checks: [(Bool, String)] = [
            ((1...512).contains(concurrency ?? 1), "--concurrency takes 1 to 512."),
            ((limit ?? 1) > 0, "--limit takes 1 or more."),
            ((1...10_000).contains(epochs ?? 1), "--epochs takes 1 to 10000."),
            ((0...100).contains(retries ?? 0), "--retries takes 0 to 100."),
            (
                (programSeconds ?? 1) > 0 && (programSeconds ?? 1) <= programMost,
                "--program-seconds takes more than 0, and 86400 at most."
            ),
            ((maxRequests ?? 1) > 0 && (maxTokens ?? 1) > 0, "budgets take 1 or more."),
            ([maxCost, maxSeconds].allSatisfy { ($0 ?? 1) > 0 && ($0 ?? 1).isFinite }, "budgets take more than 0."),
        ]
        for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
    }

    func applied(to options: EvalOptions) -> EvalOptions {
        var options = options
        options.concurrency = concurrency ?? options.concurrency
        options.isAdaptive = adaptive && options.isAdaptive
        options.limit = limit ?? options.limit
        if !only.isEmpty { options.only = Set(only) }
        options.epochs = epochs ?? options.epochs
        options.seed = seed ?? options.seed
        options.usesCache = cache && options.usesCache
        options.retries = retries ?? options.retries
        let budget = options.budget
        options.budget = EvalBudget(
            requests: maxRequests ?? budget.requests, tokens: maxTokens ?? budget.tokens, cost: maxCost ?? budget.cost,
            seconds: maxSeconds ?? budget.seconds)
        return options
    }
}

/// `NAME=VALUE`.
struct NamedValue: ExpressibleByArgument {
    var name: String
    var value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }
}

/// `temperature=0,0.7`.
struct EvalParameterWord: ExpressibleByArgument {
    var parameter: EvalParameter

    init?(argument: String) {
        guard let named = NamedValue(argument: argument), let name = EvalParameter.Name(rawValue: named.name) else {
            return nil
        }
        let values = named.value.split(separator: ",").map { Double($0) }
        guard !values.isEmpty, values.allSatisfy({ $0?.isFinite == true }) else { return nil }
        parameter = EvalParameter(name, values.compactMap(\.self))
    }
}

/// Paths as they are kept with a run: whole, so that it can be gone on with from another folder.
enum EvalPaths {
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
