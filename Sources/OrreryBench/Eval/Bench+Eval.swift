import ArgumentParser
import CommandSupport
import EvalLogs
import Evals
import Glibc
import JSON
import Statistics
import System
import Workspace

extension Bench {
    /// Commands for the benchmarks.
    struct Eval: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "eval", abstract: "Measure and check evaluations.",
            subcommands: [
                Goldens.self, FairEval.self, Simulate.self, Runs.self, Compare.self, Inspect.self,
                Planted.self, Cage.self, Coverage.self,
            ])

        struct Goldens: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "goldens", abstract: "Recompute reference values.")
            @Argument(help: "File of reference values.", completion: .file()) var path: String

            func run() throws {
                try answering { Output.json(try GoldenCheck(SmallFile.text(path))) }
            }
        }

        struct FairEval: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "fair-eval", abstract: "Compute kappa and flip rate of human and synthetic verdicts.",
                discussion: """
                    FairEval publishes answers and human verdicts, but no judge verdicts. This command compares \
                    the arithmetic with a peer, using a synthetic second rater; the result is not about any judge.
                    """)
            @Argument(help: "FairEval folder.", completion: .directory) var folder: String

            func run() throws {
                try answering {
                    let path = folder + "/review_gpt35_vicuna-13b_human.txt"
                    let people = try HumanVerdicts.read(
                        SmallFile.text(path), first: "CHATGPT", second: "VICUNA13B", path: path)
                    // The synthetic rater looks only at the number of the question.
                    let words = people.map(\.rawValue)
                    let rule = people.indices.map { $0 % 3 == 0 ? people[$0].turned.rawValue : people[$0].rawValue }
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("one", words)
                        $0.member("other", rule)
                        $0.member("kappa", Statistics.Agreement.cohenKappa(words, rule))
                        $0.member("flip_rate", Statistics.Agreement.flipRate(words, rule))
                        $0.member("note", "the second rater is synthetic: the data contains only human verdicts")
                        $0.member("kappa_by_hand", Self.kappa(words, rule))
                    }
                    Output.result(json.text)
                }
            }

            /// Returns (observed − expected) / (1 − expected), counted directly.
            private static func kappa(_ a: [String], _ b: [String]) -> Double {
                let count = Double(a.count)
                let observed = Double(zip(a, b).count { $0 == $1 }) / count
                let expected = Set(a + b).reduce(0.0) { sum, word in
                    sum + Double(a.count { $0 == word }) / count * (Double(b.count { $0 == word }) / count)
                }
                return (observed - expected) / (1 - expected)
            }
        }

        struct Simulate: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "simulation", abstract: "Test intervals and tests on synthetic data.")
            @Option(help: "Number of runs.") var runs = 10_000

            func run() throws {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.objects("checks", of: Simulation.checks(runs: runs, rule: Self.printed)) { check, json in
                        json.member("name", check.name)
                        json.member("value", check.share)
                        json.member("lower", check.wanted.lowerBound)
                        json.member("upper", check.wanted.upperBound)
                        json.member("holds", check.holds)
                        json.member("note", "\(check.runs) runs")
                    }
                }
                Output.result(json.text)
            }

            /// Returns the interval of a mean as runs print it.
            private static func printed(_ values: [Double], _ clusters: [Int]) -> Interval? {
                let samples = zip(values, clusters).map { value, cluster in
                    MetricSample(id: "", value: value, cluster: names[cluster % names.count])
                }
                let figures = try? Metrics.figures(of: [MetricChoice("mean")], scores: [EvalScoreKind("exact")]) { _ in
                    samples
                }
                guard let figure = figures?.first, let lower = figure.lower, let upper = figure.upper else {
                    return nil
                }
                return Interval(lower: lower, upper: upper, level: 0.95)
            }

            /// Cluster names, at least as many as the largest population has clusters.
            private static let names = (0..<1_000).map { "document \($0)" }
        }

        struct Runs: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "runs", abstract: "Create two runs, `before` and `after`, one of them worse.")
            @Option(help: "Samples per run.") var samples = 10_000
            @OptionGroup var place: WorkspaceOptions

            func run() throws {
                try answering {
                    let workspace = try place.open()
                    for run in [
                        PlantedRun(name: "before", samples: samples, drop: 0),
                        .init(name: "after", samples: samples, drop: 0.03),
                    ] {
                        try EvalRunner(run.order, workspace: workspace).run()
                    }
                }
            }
        }

        struct Compare: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "diff", abstract: "Time reading, joining, and comparing two runs.")
            @Argument(help: "First run.") var a: String
            @Argument(help: "Second run.") var b: String
            @OptionGroup var place: WorkspaceOptions

            func run() throws {
                try answering {
                    let store = EvalStore(try place.openForReading())
                    let logs = try [a, b].map { try store.log(Int64(store.find($0).key) ?? 0) }
                    let clock = ContinuousClock()
                    var fastest = Duration.seconds(1_000)
                    for _ in 0..<5 {
                        fastest = min(
                            fastest,
                            try clock.measure {
                                let join = try EvalJoin(logs[0], logs[1])
                                _ = EvalDiff(join, measure: try join.measure(named: nil)).sentence
                            })
                    }
                    let (seconds, attoseconds) = fastest.components
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("milliseconds", Double(seconds) * 1000 + Double(attoseconds) / 1e15) }
                    Output.result(json.text)
                }
            }
        }

        struct Inspect: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "inspect", abstract: "Compute an Inspect log's metrics from its samples.")
            @Argument(help: "Log file.", completion: .file()) var path: String

            func run() throws {
                try answering {
                    let checks = try EvalLogFormats.open(path).flatMap {
                        try InspectMetrics.checks($0, isCancelled: { false })
                    }
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.objects("checks", of: checks) { check, json in
                            json.member("metric", check.metric)
                            json.member("recorded", check.recorded)
                            json.member("recomputed", check.recomputed)
                        }
                    }
                    Output.result(json.text)
                }
            }
        }

        struct Planted: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "planted", abstract: "Test the detection of a planted bias and regression.")

            func run() throws { try answering { Output.json(try PlantedChecks()) } }
        }

        struct Cage: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "sandbox", abstract: "Try forbidden operations in every tier of the sandbox.")

            func run() throws { try answering { Output.json(try SandboxAttempts()) } }
        }
    }
}
