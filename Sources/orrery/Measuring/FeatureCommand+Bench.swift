import ArgumentParser
import FeatureLab
import Interpretability

extension FeatureCommand {
    /// What the benchmark times.
    struct Bench: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bench", abstract: "Time training and indexes of features.", shouldDisplay: false,
            subcommands: [Step.self, Build.self, Measure.self])

        struct Step: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "step", abstract: "Steps a second of a TopK dictionary.")

            @Option(help: "How many threads.")
            var threads = 1

            @Option(help: "For so long.")
            var seconds = 3.0

            func validate() throws {
                guard (1...1024).contains(threads), (0.01...3600).contains(seconds) else {
                    throw ValidationError("--threads takes 1 to 1024, --seconds 0.01 to 3600.")
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

            @Argument(help: "The workspace to write.")
            var path: String

            @Option(help: "Tokens.")
            var tokens = 10_000_000

            @Option(help: "Features.")
            var features = 16_384

            @Option(help: "Active features of a token.")
            var active = 32

            func validate() throws {
                guard (1...1_000_000_000).contains(tokens), (1...1_000_000).contains(features),
                    (1...features).contains(active)
                else {
                    throw ValidationError(
                        "--tokens, --features and --active take 1 or more, --active at most --features.")
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
                commandName: "measure", abstract: "Time dashboards and searches of it.")

            @Argument(help: "The workspace.")
            var path: String

            func run() throws { try answering { Output.result(try FeatureBench.measure(path)) } }
        }
    }
}
