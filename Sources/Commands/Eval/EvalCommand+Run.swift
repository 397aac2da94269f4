import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Glibc
import JSON
import Presentation
import System
import Traces
import Workspace

extension EvalCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run a task on a model, and save every sample.",
            discussion: """
                TASK is a task file: native TOML (orrery eval explain task), YAML of lm-evaluation-harness or \
                promptfoo, or JSON Lines of OpenAI evals. Several models, prompts, or values of --param create one run \
                per combination. After an interruption, orrery eval resume runs the rest without repeating requests.

                The exit status is 0 if every sample was answered and scored; 1 if samples ended in an error, a score \
                has no value, or the run was stopped (including by ^C or an exhausted budget); 64 if the command is \
                invalid; and 130 if a second ^C ended it immediately. Finished samples are saved in every case.

                orrery eval run sample-data/evals/reading.toml --model orrery-mini
                orrery eval run gsm8k.yaml --model http://127.0.0.1:8080/v1#qwen3 --concurrency 32 --limit 200
                orrery eval run task.toml --model openai:gpt-4o --max-cost 2.50 --judge openai:gpt-4o-mini
                """)

        @Argument(help: "Task file.", completion: .file())
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
                // Report what a group cannot aggregate before the first request.
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
            commandName: "resume", abstract: "Resume a run that was interrupted, canceled, or out of budget.",
            discussion: """
                Finished samples are not repeated; --errors also repeats samples that ended in an error. A run keeps \
                its samples, epochs, and seed. Concurrency and budgets can be changed; the value none removes a \
                budget. A paused run resumes in the process that runs it. The exit status is 0, 1, 64, or 130, as for \
                orrery eval run.
                """)

        @OptionGroup var argument: EvalRunArgument

        @Flag(help: "Repeat samples that ended in an error.")
        var errors = false

        /// Used by the workbench, which starts this command before it releases the run.
        @Flag(help: ArgumentHelp("Wait until another process has released the run.", visibility: .hidden))
        var whenFree = false

        /// Parsed only to reject them.
        @OptionGroup(visibility: .hidden) var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard let word = samples.given.first else { return }
            throw ValidationError(
                "a resumed run keeps its \(word). To change it, start a new run with orrery eval run.")
        }

        func run() throws {
            try answering {
                let workspace = try place.openExisting()
                let store = EvalStore(workspace)
                let number = try argument.find(in: store)
                if whenFree { try Self.awaitRelease(of: number, in: store) }
                if try resumePaused(number, in: store) { return }
                guard let detail = try store.detail(number), var setup = EvalSetup(arguments: detail.arguments) else {
                    throw Problem(
                        .invalid, "", "run \(argument.word) does not record how it was started",
                        remedy: "Start a new run with orrery eval run.")
                }
                setup.options = limits.applied(to: setup.options)
                setup.programSeconds = limits.programSeconds ?? setup.programSeconds
                let order = try setup.order(of: detail.run, in: workspace)
                let isWhole = detail.run.state == .done && detail.run.completed == detail.run.total
                if isWhole, !errors { Output.note("run \(number) is already complete") }
                var screen = EvalScreen(report, count: 1)
                let runner = try EvalRunner(
                    resuming: number, order, again: errors ? .errors : .rest, workspace: workspace,
                    prices: try PriceTable.settings(.workbench()))
                try screen.follow(runner, in: workspace, order: order)
                try screen.finish()
            }
        }

        /// Returns as soon as no process is running the run. After a minute, resuming reports the other process.
        private static func awaitRelease(of run: Int64, in store: EvalStore) throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while try store.run(run)?.state == .running, .now < deadline { usleep(50_000) }
        }

        /// Resumes a paused run in another process; false if the run is not in progress or not paused.
        private func resumePaused(_ number: Int64, in store: EvalStore) throws -> Bool {
            guard let run = try store.run(number), run.state == .running, try store.isPaused(number) == true else {
                return false
            }
            try store.send(.resume, to: number)
            EvalChangeReport(run: number, name: run.name) { $0.member("command", "continue") }
                .tell("\(run.name) was paused and will resume within half a second", report.output)
            return true
        }
    }
}

/// Models, judges, and variants of a run.
struct EvalChoiceOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .singleValue,
        help: "Model: name, file, URL, or exec:PROGRAM; repeatable, one run each.")
    var model: [String] = []

    @Option(help: "Judge model, for scorers that need one.")
    var judge: String?

    @Option(help: "Embedder for similarity scorers: hashed, a model folder, or URL.")
    var embedder: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: "Prompt variant defined by the task; repeatable, one run each.")
    var prompt: [String] = []

    @Option(
        name: .long, parsing: .singleValue, help: "Sampling values to try: temperature=0,0.7, top_p, max_tokens, seed.")
    var param: [EvalParameterWord] = []

    @Option(name: .long, parsing: .singleValue, help: "Variable for the task's templates: NAME=VALUE; repeatable.")
    var set: [NamedValue] = []

    @Option(help: "Examples before each question (default: from the task).")
    var fewShot: Int?

    @Option(
        help: "Alternatives per token for the tokens panel (default: 5 locally).")
    var alternatives: Int?

    @Option(help: "Run name.")
    var name: String?

    func validate() throws {
        guard (0...1_000_000).contains(fewShot ?? 0) else {
            throw ValidationError("--few-shot must be 0 to 1,000,000.")
        }
        guard (0...20).contains(alternatives ?? 0) else { throw ValidationError("--alternatives must be 0 to 20.") }
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

/// An argument `NAME=VALUE`.
struct NamedValue: ExpressibleByArgument {
    var name: String
    var value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }
}

/// An argument such as `temperature=0,0.7`.
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

/// Absolute paths, stored with a run so that it can be resumed from another folder.
package enum EvalPaths {
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
