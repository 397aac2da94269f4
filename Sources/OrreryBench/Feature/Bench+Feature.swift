import ArgumentParser
import CommandSupport
import FeatureLab
import Interpretability

extension Bench {
    /// Timings for the benchmarks.
    struct Feature: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "feature", abstract: "Time training and indexes of features.",
            subcommands: [Step.self, Build.self, Measure.self])

        struct Step: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "step", abstract: "Measure training steps per second of a TopK dictionary.")

            @Option(help: "Number of threads.")
            var threads = 1

            @Option(help: "Duration in seconds.")
            var seconds = 3.0

            func validate() throws {
                guard (1...1024).contains(threads), (0.01...3600).contains(seconds) else {
                    throw ValidationError("--threads must be 1 to 1024, and --seconds 0.01 to 3600.")
                }
            }

            func run() throws {
                try answering {
                    Output.result(
                        "{\"steps_per_second\": \(try DictionaryBench.run(threads: threads, seconds: seconds))}")
                }
            }
        }

        struct Build: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "build", abstract: "Build the index of a synthetic dictionary.")

            @Argument(help: "Workspace to write.")
            var path: String

            @Option(help: "Number of tokens.")
            var tokens = 10_000_000

            @Option(help: "Number of features.")
            var features = 16_384

            @Option(help: "Active features per token.")
            var active = 32

            func validate() throws {
                guard (1...1_000_000_000).contains(tokens), (1...1_000_000).contains(features),
                    (1...features).contains(active)
                else {
                    throw ValidationError(
                        "--tokens, --features, and --active must be at least 1, and --active at most --features.")
                }
            }

            func run() throws {
                try answering {
                    Output.result(
                        try FeatureBench.build(tokens: tokens, features: features, active: active, at: path))
                }
            }
        }

        struct Measure: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "measure", abstract: "Time dashboards and searches of a synthetic dictionary.")

            @Argument(help: "Workspace.")
            var path: String

            func run() throws { try answering { Output.result(try FeatureBench.measure(path)) } }
        }
    }
}
