import ArgumentParser
import Evals
import Glibc
import JSON
import Statistics
import Traces
import Workspace

extension EvalCommand {
    /// What the benchmark asks.
    struct Bench: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bench", abstract: "Measure and check evaluations.", shouldDisplay: false,
            subcommands: [
                Goldens.self, FairEval.self, Simulate.self, Runs.self, Compare.self, Inspect.self,
                Planted.self, Cage.self, Coverage.self,
            ])

        struct Goldens: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "goldens", abstract: "Reference values, computed again.")
            @Argument(help: "The file of values.", completion: .file()) var path: String

            func run() throws {
                try answering { Output.json(try GoldenCheck(SmallFile.text(path))) }
            }
        }

        struct FairEval: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "fair-eval", abstract: "Kappa and flip rate of people's verdicts and a made-up rater's.",
                discussion: """
                    FairEval publishes answers and what people said of them, but no verdicts of a judge. So this holds the \
                    arithmetic against a peer's, with a second rater made up by a rule; it says nothing of any judge.
                    """)
            @Argument(help: "The folder.", completion: .directory) var folder: String

            func run() throws {
                try answering {
                    let path = folder + "/review_gpt35_vicuna-13b_human.txt"
                    let people = try HumanVerdicts.read(
                        SmallFile.text(path), first: "CHATGPT", second: "VICUNA13B", path: path)
                    // A rater made up by a rule: who looks at nothing but the number of the question.
                    let words = people.map(\.rawValue)
                    let rule = people.indices.map { $0 % 3 == 0 ? people[$0].turned.rawValue : people[$0].rawValue }
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("one", words)
                        $0.member("other", rule)
                        $0.member("kappa", Statistics.Agreement.cohenKappa(words, rule))
                        $0.member("flip_rate", Statistics.Agreement.flipRate(words, rule))
                        $0.member("note", "the other rater is made up: the data holds people's verdicts alone")
                        $0.member("kappa_by_hand", Self.kappa(words, rule))
                    }
                    Output.result(json.text)
                }
            }

            /// (observed − expected) / (1 − expected), counted the plain way.
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
                commandName: "simulation", abstract: "What intervals and tests promise, on made-up data.")
            @Option(help: "How many runs.") var runs = 10_000

            func run() throws {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.member("checks") { json in
                        json.array { json in
                            for check in Simulation.checks(runs: runs, rule: Self.printed) {
                                json.object {
                                    $0.member("name", check.name)
                                    $0.member("value", check.share)
                                    $0.member("lower", check.wanted.lowerBound)
                                    $0.member("upper", check.wanted.upperBound)
                                    $0.member("holds", check.holds)
                                    $0.member("note", "\(check.runs) runs")
                                }
                            }
                        }
                    }
                }
                Output.result(json.text)
            }

            /// The interval of a mean as runs print it.
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

            /// Of no fewer clusters than the largest population has.
            private static let names = (0..<1_000).map { "document \($0)" }
        }

        struct Runs: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "runs", abstract: "Two runs, `before` and `after`, one of them worse.")
            @Option(help: "Samples of each.") var samples = 10_000
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
                commandName: "diff", abstract: "How long two runs take to be read, joined and compared.")
            @Argument(help: "A run.") var a: String
            @Argument(help: "Another.") var b: String
            @OptionGroup var place: WorkspaceOptions

            func run() throws {
                try answering {
                    let (one, other) = (try EvalTarget(a, in: place), try EvalTarget(b, in: place))
                    let clock = ContinuousClock()
                    var fastest = Duration.seconds(1_000)
                    for _ in 0..<5 {
                        fastest = min(
                            fastest,
                            try clock.measure {
                                let join = try EvalJoin(one.log, other.log)
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
                commandName: "inspect", abstract: "An Inspect log's metrics, from its samples.")
            @Argument(help: "The log.", completion: .file()) var path: String

            func run() throws {
                try answering {
                    let checks = try EvalLogFormats.open(path).flatMap {
                        try InspectMetrics.checks($0, isCancelled: { false })
                    }
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.member("checks") { json in
                            json.array { json in
                                for check in checks {
                                    json.object {
                                        $0.member("metric", check.metric)
                                        $0.member("recorded", check.recorded)
                                        $0.member("recomputed", check.recomputed)
                                    }
                                }
                            }
                        }
                    }
                    Output.result(json.text)
                }
            }
        }

        struct Planted: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "planted", abstract: "A planted bias and a planted regression.")

            func run() throws { try answering { Output.json(try PlantedChecks()) } }
        }

        struct Cage: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "sandbox", abstract: "What code in the sandbox must not do, tried in every tier.")

            func run() throws { try answering { Output.json(try SandboxAttempts()) } }
        }
    }
}
