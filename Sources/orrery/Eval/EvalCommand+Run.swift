import ArgumentParser
import Console
import Evals
import Glibc
import JSON
import Traces
import Workbench
import Workspace

extension EvalCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Ask every sample of a task, and keep each answer as soon as it is there.",
            discussion: """
                TASK is a task file: our own TOML (orrery eval explain task), YAML of lm-evaluation-harness or promptfoo, \
                or JSON lines of OpenAI evals. Several models, prompts or values of --param make a run of each \
                combination. Whatever cuts a run off, orrery eval resume runs the rest without asking anything twice.

                It ends with 0 where every sample was answered and scored; with 1 where samples ended in an error, a score \
                has no value, or the run was stopped, by ^C or a spent budget too; with 64 where the command is wrong; with \
                130 where a second ^C ended it at once. What was done is kept in each case.

                orrery eval run sample-data/evals/reading.toml --model orrery-mini
                orrery eval run gsm8k.yaml --model http://127.0.0.1:8080/v1#qwen3 --concurrency 32 --limit 200
                orrery eval run task.toml --model openai:gpt-4o --max-cost 2.50 --judge openai:gpt-4o-mini
                """)

        @Argument(help: "The task's file.", completion: .file())
        var task: String

        @OptionGroup var choice: EvalChoiceOptions
        @OptionGroup var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let workspace = try place.open()
                let prices = try PriceTable.settings(.workbench())
                let setup = choice.setup(task: EvalPaths.absolute(task), samples, limits)
                // What a group cannot aggregate is told before anything is asked.
                let group = try LMEvalGroup(path: setup.task)
                let orders = try setup.orders(in: workspace)
                var screen = EvalScreen(report, count: orders.count)
                var runs: [EvalRun] = []
                for order in orders {
                    for note in order.task.notes { Output.note("\(order.task.name): \(note)") }
                    runs.append(
                        try screen.follow(
                            try EvalRunner(order, workspace: workspace, prices: prices), in: workspace, order: order))
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
                What is done is not asked again. --errors also asks again what ended in an error. A run keeps its samples, \
                epochs and seed; how many are asked at once and its budgets may be others than before, and a budget of \
                none takes the run's own away. A paused run resumes in the process that runs it. It ends with 0, 1, 64 or 130 as orrery eval run does.
                """)

        @OptionGroup var argument: EvalRunArgument

        @Flag(help: "Ask again what ended in an error.")
        var errors = false

        /// For the workbench, which starts this command before it releases the run.
        @Flag(help: ArgumentHelp("Wait until another process has released the run.", visibility: .hidden))
        var whenFree = false

        /// Read only to be refused.
        @OptionGroup(visibility: .hidden) var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard let word = samples.given.first else { return }
            throw ValidationError("a run keeps its \(word): start a new one with orrery eval run for another.")
        }

        func run() throws {
            try answering {
                let workspace = try place.openExisting()
                let store = EvalStore(workspace)
                let number = try argument.find(in: store)
                if whenFree { try Self.awaitRelease(of: number, in: store) }
                if try resumePaused(number, in: store) { return }
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
                    resuming: number, order, again: errors ? .errors : .rest, workspace: workspace,
                    prices: try PriceTable.settings(.workbench()))
                try screen.follow(runner, in: workspace, order: order)
                try screen.finish()
            }
        }

        /// Returns as soon as no process is running the run; after a minute, resuming reports the other process.
        private static func awaitRelease(of run: Int64, in store: EvalStore) throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while try store.run(run)?.state == .running, .now < deadline { usleep(50_000) }
        }

        /// Lets a paused run of another process go on; false if the run is not at work, or not paused.
        private func resumePaused(_ number: Int64, in store: EvalStore) throws -> Bool {
            guard let run = try store.run(number), run.state == .running, try store.isPaused(number) == true else {
                return false
            }
            try store.send(.resume, to: number)
            EvalChangeReport(run: number, name: run.name) { $0.member("command", "continue") }
                .tell("\(run.name) was paused and resumes in its own process within half a second.", report.output)
            return true
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

    func setup(task: String, _ samples: EvalSampleOptions, _ limits: EvalLimitOptions) -> EvalSetup {
        var options = limits.applied(to: samples.applied(to: EvalOptions()))
        options.name = name
        return EvalSetup(
            task: task, models: model, judge: judge, embedder: embedder, prompts: prompt, fewShot: fewShot,
            variables: set.map { .init(key: $0.name, value: .string($0.value)) }, parameters: param.map(\.parameter),
            alternatives: alternatives, programSeconds: limits.programSeconds, options: options)
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
