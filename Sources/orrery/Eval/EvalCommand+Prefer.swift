import ArgumentParser
import Console
import Evals
import JSON
import Statistics
import Traces
import Workbench
import Workspace

extension EvalCommand.Judge {
    struct Prefer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prefer", abstract: "Which of two runs' answers a model prefers, asked in both orders.",
            discussion: """
                It is a run like any other: each verdict is kept as soon as it is there, budgets hold, and orrery eval \
                resume runs the rest without asking anything twice. A win counts only where both orders agree; how often they \
                do not (the flip rate), how often the first place wins, how often the longer answer wins, and how far \
                people who rated both runs agree stand beside the result. orrery eval judge verdict tells it again.
                """)

        @Argument(help: "A run, or a log.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "Another.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "The model that judges.")
        var judge: String

        @Option(help: "What makes an answer better.")
        var criteria: String?

        @Option(help: "What the run of the judge is called.")
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
                options.name = name ?? "\(one.run.name) against \(other.run.name), by \(judge)"
                // Every answer is in the logs already.
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
            commandName: "verdict", abstract: "What a run of judge prefer came to, as far as it is.")

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

/// What a run of a judge over two others came to, with the people who rated them.
private struct PreferenceVerdict: JSONRepresentable {
    private let run: EvalRun
    private let report: PairwiseReport
    private let people: PreferenceAgreement?

    init(_ run: EvalRun, in workspace: Workspace) throws {
        let store = EvalStore(workspace)
        guard let number = Int64(run.key), let detail = try store.detail(number),
            let plan = EvalSetup(arguments: detail.arguments).flatMap({ PreferencePlan.parse($0.task) })
        else { throw Failure("\(run.name): this is no run of eval judge prefer.") }
        self.run = run
        let found = try PairwiseJudge.Comparison.stored(in: try store.log(number))
        report = PairwiseReport(found.map(\.comparison))
        let outcomes = found.compactMap { one in one.comparison.outcome.map { (one.id, $0) } }
        let reviews = ReviewStore(workspace)
        // Where a run or a log is gone, so is what people said of it.
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
                #"The judge was never understood. It has to answer {"id": the id of the question, "reason": "...", "#
                    + #""verdict": "first", "second" or "tie"}; orrery eval show \#(run.key) --samples tells what came."#
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
    /// What a run of a judge keeps of it, so that it is found again from any folder.
    fileprivate var side: PreferencePlan.Side {
        get throws {
            if let number { return .run(number) }
            guard let path = run.path else { throw Failure("\(run.name): the log does not tell where it is.") }
            return .log(path: EvalPaths.absolute(path), run: run.key)
        }
    }
}
