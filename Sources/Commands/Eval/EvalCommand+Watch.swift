import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import Glibc
import JSON
import Statistics
import Traces
import Workspace

extension EvalCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Follow a run in progress, and stop at a clear result.",
            discussion: """
                The test may be repeated after every sample with at most 5 wrong decisions in 100. Samples are \
                processed in task order, so fast, easy samples do not bias the result. The samples of a cluster count \
                as one sample once all of them have ended. The exit status is 0 if B is better (or, with --margin, \
                about the same), 3 if B is worse, and 2 if the samples run out without a decision. --stop then cancels \
                B; its finished samples are saved.
                """)

        @Argument(help: "Baseline run.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "Run in progress.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "Name of a score from 0 to 1 (default: first).")
        var score: String?

        @Option(help: "Treat differences below this as equal, such as 0.01.")
        var margin: Double?

        @Option(help: "Minimum number of samples (or clusters) before a decision.")
        var atLeast = 20

        @Option(help: "Maximum number of samples (or clusters).")
        var atMost: Int?

        @Flag(help: "Cancel B as soon as the result is clear.")
        var stop = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard atLeast > 0, (atMost ?? 1) > 0 else {
                throw ValidationError("--at-least and --at-most must be at least 1.")
            }
            guard margin.map({ $0 > 0 && $0 < 1 }) ?? true else {
                throw ValidationError("--margin must be above 0 and below 1.")
            }
        }

        func run() throws {
            try answering {
                let (one, other) = (try EvalTarget(a, in: place), try EvalTarget(b, in: place))
                let cancellation = Cancellation()
                let line = StatusLine()
                defer { line.end() }
                let watch = try Interruption.cancelling(cancellation) {
                    var watch = EvalWatch(rule: SequentialRule(margin: margin, atLeast: atLeast, atMost: atMost))
                    while true {
                        // Read the heads first: samples written later are seen in the next round.
                        let (headA, headB) = (one.log.run, other.log.run)
                        let join = EvalJoin(
                            headA, try one.log.allRows { cancellation.isCancelled }, headB,
                            try other.log.allRows { cancellation.isCancelled })
                        // Neither run reports a score before its first sample.
                        let isGrowing = headA.state == .running || headB.state == .running
                        if !isGrowing || !join.samples.isEmpty {
                            let measure = try join.measure(named: score)
                            try watch.look(join, EvalDiff(join, measure: measure, options: EvalDiffOptions(slices: [])))
                        }
                        line.show(WatchReport(watch).sentence)
                        guard watch.verdict == .keepSampling, isGrowing, !cancellation.isCancelled else { return watch }
                        pause(milliseconds: 500, cancellation)
                    }
                }
                line.end()
                if stop, watch.verdict != .keepSampling, other.log.run.state == .running, let number = other.number {
                    try EvalStore(try place.openExisting()).send(.cancel, to: number)
                    Output.note("\(other.run.name): will be canceled within half a second")
                }
                let report = WatchReport(watch)
                output.json ? Output.json(report) : Output.result(report.sentence)
                if report.exitCode != 0 { throw ExitCode(report.exitCode) }
            }
        }

        /// Sleeps in short intervals, so that ^C takes effect at once.
        private func pause(milliseconds: Int, _ cancellation: Cancellation) {
            for _ in 0..<milliseconds / 50 where !cancellation.isCancelled { usleep(50_000) }
        }
    }
}

/// Result of watching a run.
struct WatchReport: JSONRepresentable {
    private let watch: EvalWatch

    init(_ watch: EvalWatch) { self.watch = watch }

    var word: String {
        switch watch.verdict {
        case .keepSampling: watch.comparison.decision.rawValue
        case .stop(let reason): reason.rawValue
        }
    }

    /// Exit status: 0, 3, or 2.
    var exitCode: Int32 {
        switch watch.verdict {
        case .stop(.better), .stop(.equivalent): 0
        case .stop(.worse): 3
        case .keepSampling, .stop(.exhausted): 2
        }
    }

    var sentence: String {
        let comparison = watch.comparison
        let waiting = watch.verdict == .keepSampling ? watch.waiting.map { ", next is \($0)" } ?? "" : ""
        guard comparison.count > 0 else { return "tested after every sample: no samples yet\(waiting)" }
        let interval = comparison.interval()
        return "tested after every sample: \(word) after \(counted), \(EvalText.interval(interval)), "
            + "p \(Format.pValue(comparison.p))\(waiting)"
    }

    /// `40 samples`, `25 clusters (295 samples)`.
    private var counted: String {
        let samples = Format.count(watch.samples, "sample")
        return watch.hasClusters ? "\(Format.count(watch.comparison.count, "cluster")) (\(samples))" : samples
    }

    func write(to json: inout JSONWriter) {
        let comparison = watch.comparison
        json.object {
            $0.member("verdict", word)
            $0.member("exit", Int(exitCode))
            $0.member("samples", watch.samples)
            $0.member("clusters", ifPresent: watch.hasClusters ? comparison.count : nil)
            $0.member("waits_for", ifPresent: watch.verdict == .keepSampling ? watch.waiting : nil)
            $0.member("mean", ifPresent: comparison.mean)
            guard comparison.count > 0 else { return }
            let interval = comparison.interval()
            $0.member("lower", interval.lower)
            $0.member("upper", interval.upper)
            $0.member("p", comparison.p)
        }
    }
}
