import ArgumentParser
import Console
import Evals
import Glibc
import JSON
import Statistics
import Traces
import Workspace

extension EvalCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Follow a run that still grows, and stop as soon as it is clear which is better.",
            discussion: """
                The test may be looked at after every sample without more than 5 wrong calls in 100. Samples are taken in the \
                order of the task, none behind one that has not ended: those that end first are the easy ones. Samples of a \
                cluster count once, as soon as all of them have ended. It ends with 0 where B \
                is better (or, with --margin, about the same), with 3 where it is worse, and with 2 where the samples are \
                used up without a decision. --stop cancels B then; what it has is kept.
                """)

        @Argument(help: "The run that is compared with.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "The run that grows.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "The score, between 0 and 1; the first unless given.")
        var score: String?

        @Option(help: "Differences smaller than this make no difference: 0.01.")
        var margin: Double?

        @Option(help: "No decision before so many samples; clusters, where samples have them.")
        var atLeast = 20

        @Option(help: "The end at the latest, in samples; in clusters, where samples have them.")
        var atMost: Int?

        @Flag(help: "Cancel B as soon as it is clear.")
        var stop = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard atLeast > 0, (atMost ?? 1) > 0 else {
                throw ValidationError("--at-least and --at-most take 1 or more.")
            }
            guard margin.map({ $0 > 0 && $0 < 1 }) ?? true else {
                throw ValidationError("--margin takes a number between 0 and 1.")
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
                        // The heads come first: what is written after them is seen by the next look.
                        let (headA, headB) = (one.log.run, other.log.run)
                        let join = EvalJoin(
                            headA, try one.log.allRows { cancellation.isCancelled }, headB,
                            try other.log.allRows { cancellation.isCancelled })
                        // Neither run tells a score before its first sample.
                        let isGrowing = headA.state == .running || headB.state == .running
                        if !isGrowing || !join.samples.isEmpty {
                            let measure = try join.measure(named: score)
                            try watch.look(join, EvalDiff(join, measure: measure, options: EvalDiffOptions(slices: [])))
                        }
                        line.show(WatchReport(watch).sentence)
                        guard watch.verdict == .goOn, isGrowing, !cancellation.isCancelled else { return watch }
                        pause(milliseconds: 500, cancellation)
                    }
                }
                line.end()
                if stop, watch.verdict != .goOn, other.log.run.state == .running, let number = other.number {
                    try EvalStore(try place.openExisting()).send(.cancel, to: number)
                    Output.note("\(other.run.name): it ends within half a second.")
                }
                let report = WatchReport(watch)
                output.json ? Output.json(report) : Output.result(report.sentence)
                if report.exitCode != 0 { throw ExitCode(report.exitCode) }
            }
        }

        /// Waits in small steps, so that ^C is heard at once.
        private func pause(milliseconds: Int, _ cancellation: Cancellation) {
            for _ in 0..<milliseconds / 50 where !cancellation.isCancelled { usleep(50_000) }
        }
    }
}

/// What was seen by watching.
struct WatchReport: JSONRepresentable {
    private let watch: EvalWatch

    init(_ watch: EvalWatch) { self.watch = watch }

    var word: String {
        switch watch.verdict {
        case .goOn: watch.comparison.decision.rawValue
        case .stop(let reason): reason.rawValue
        }
    }

    /// 0, 3, 2.
    var exitCode: Int32 {
        switch watch.verdict {
        case .stop(.better), .stop(.equivalent): 0
        case .stop(.worse): 3
        case .goOn, .stop(.exhausted): 2
        }
    }

    var sentence: String {
        let comparison = watch.comparison
        let waiting = watch.verdict == .goOn ? watch.waiting.map { ", next is \($0)" } ?? "" : ""
        guard comparison.count > 0 else { return "looked at after every sample: none yet\(waiting)" }
        let interval = comparison.interval()
        return "looked at after every sample: \(word) after \(counted), \(EvalText.interval(interval)), "
            + "\(EvalFigure.p(comparison.p))\(waiting)"
    }

    /// `40 samples`, `25 clusters (295 samples)`.
    private var counted: String {
        func text(_ count: Int, _ noun: String) -> String { "\(Format.count(count)) \(noun)\(count == 1 ? "" : "s")" }
        let samples = text(watch.samples, "sample")
        return watch.hasClusters ? "\(text(watch.comparison.count, "cluster")) (\(samples))" : samples
    }

    func write(to json: inout JSONWriter) {
        let comparison = watch.comparison
        json.object {
            $0.member("verdict", word)
            $0.member("exit", Int(exitCode))
            $0.member("samples", watch.samples)
            $0.member("clusters", ifPresent: watch.hasClusters ? comparison.count : nil)
            $0.member("waits_for", ifPresent: watch.verdict == .goOn ? watch.waiting : nil)
            $0.member("mean", ifPresent: comparison.mean)
            guard comparison.count > 0 else { return }
            let interval = comparison.interval()
            $0.member("lower", interval.lower)
            $0.member("upper", interval.upper)
            $0.member("p", comparison.p)
        }
    }
}
