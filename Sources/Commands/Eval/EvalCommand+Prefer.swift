import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import JSON
import Presentation
import Statistics
import System
import Traces
import Workspace

extension EvalCommand.Judge {
    struct Prefer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prefer", abstract: "Have a model judge which of two runs has better answers.",
            discussion: """
                The judge sees each pair in both orders. Like any run, the comparison stores each verdict immediately, \
                respects budgets, and can be resumed with orrery eval resume without repeating requests. A win counts \
                only if both orders agree. The report includes the flip rate (orders disagree), how often the first \
                and the longer answer win, and the agreement with human ratings. To print it again, run: orrery eval \
                judge verdict
                """)

        @Argument(help: "First run or log.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "Second run or log.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "Model that judges.")
        var judge: String

        @Option(help: "Criteria for a better answer.")
        var criteria: String?

        @Option(help: "Name of the judge's run.")
        var name: String?

        @OptionGroup var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let (one, other) = (try EvalTarget(a, in: place), try EvalTarget(b, in: place))
                let workspace = try place.open()
                let plan = PreferencePlan(try one.side, try other.side, criteria: criteria)
                var options = limits.applied(to: samples.applied(to: EvalOptions()))
                options.name = name ?? "\(one.run.name) vs. \(other.run.name), judged by \(judge)"
                // The logs already contain all answers.
                options.usesCache = false
                let setup = EvalSetup(task: plan.word, models: [], judge: judge, options: options)
                var screen = EvalScreen(report, count: 1)
                for order in try setup.orders(in: workspace) {
                    for note in order.task.notes { Output.note(note) }
                    let runner = try EvalRunner(
                        order, workspace: workspace, prices: try PriceTable.settings(.workbench()))
                    let run = try screen.follow(runner, in: workspace, order: order)
                    try PreferenceVerdict(run, in: workspace).show(as: report.output)
                }
                try screen.finish(printing: false)
            }
        }
    }

    struct Verdict: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verdict", abstract: "Print the current result of a judge prefer run.")

        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let run = try EvalStore(workspace).find(argument.word)
                try PreferenceVerdict(run, in: workspace).show(as: output)
            }
        }
    }
}

/// Result of a judge's run over two other runs, with the agreement of reviewers.
private struct PreferenceVerdict: JSONRepresentable {
    private let run: EvalRun
    private let report: PairwiseReport
    private let people: PreferenceAgreement?

    init(_ run: EvalRun, in workspace: Workspace) throws {
        let store = EvalStore(workspace)
        guard let number = Int64(run.key), let detail = try store.detail(number),
            let plan = EvalSetup(arguments: detail.arguments).flatMap({ PreferencePlan.parse($0.task) })
        else {
            throw Problem(
                .invalid, "", "\(run.name) is not a run of eval judge prefer",
                remedy: "To list runs, use: orrery eval list")
        }
        self.run = run
        let found = try PairwiseJudge.Comparison.stored(in: try store.log(number))
        report = PairwiseReport(found.map(\.comparison))
        let outcomes = found.compactMap { one in one.comparison.outcome.map { (one.id, $0) } }
        let reviews = ReviewStore(workspace)
        // If a run or log was deleted, its ratings are missing, too.
        let ratings = [plan.a, plan.b].map { side in
            (try? side.open(in: store)).flatMap { try? reviews.ratings(of: $0.run.ratingKey) } ?? []
        }
        people = PreferenceAgreement(Dictionary(outcomes) { first, _ in first }, ratings[0], ratings[1])
    }

    func show(as output: JSONOption) throws {
        if output.json { return Output.json(self) }
        Output.result(report.sentence)
        if let people { Output.result(people.sentence) }
        if report.count == 0, report.unread > 0 {
            Output.note(
                #"None of the judge's replies could be parsed. Expected: {"id": the id of the question, "reason": "...", "#
                    + #""verdict": "first", "second" or "tie"}. To see the replies, run: orrery eval show \#(run.key) --samples"#
            )
        }
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("run", run.key)
            $0.member("state", run.state.rawValue)
            $0.member("completed", run.completed)
            $0.member("total", ifPresent: run.total)
            $0.member("problem", ifPresent: run.problem)
            $0.member("cost", ifPresent: run.cost)
            $0.member("verdict", report)
            $0.member("people", ifPresent: people)
        }
    }
}

extension EvalTarget {
    /// Reference to one side that a judge's run stores, so that the side can be found from any folder.
    fileprivate var side: PreferencePlan.Side {
        get throws {
            if let number { return .run(number) }
            guard let path = run.path else {
                throw Problem(
                    .invalid, run.name, "the log does not record its path", remedy: "Open the log from a file.")
            }
            return .log(path: EvalPaths.absolute(path), run: run.key)
        }
    }
}
