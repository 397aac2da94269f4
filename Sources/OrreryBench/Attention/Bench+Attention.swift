import ArgumentParser
import CommandSupport
import Interpretability
import JSON
import Models

extension Bench {
    /// Timings and comparisons for the benchmarks.
    struct Attention: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "attention", abstract: "Time and compare the inspection of models.",
            subcommands: [Live.self, Goldens.self, Dictionaries.self, Hooks.self])

        struct Live: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "live",
                abstract: "Time an inspected token, a rerun, and the heads of a long text.")

            @OptionGroup var model: ModelFileArgument

            @Option(help: "Prompt tokens.")
            var tokens = 256

            @Option(help: "Generated tokens.")
            var after = 64

            func validate() throws {
                guard (2...1 << 20).contains(tokens) else {
                    throw ValidationError("--tokens must be 2 to 1,048,576.")
                }
                guard (1...1 << 16).contains(after) else {
                    throw ValidationError("--after must be 1 to 65,536.")
                }
            }

            func run() throws {
                try answering {
                    let model = try InspectedModel(path: try model.path())
                    let vocabulary = model.configuration.vocabularySize
                    let prompt = (0..<tokens).map { Int32(($0 * 7919 + 13) % vocabulary) }
                    Output.json(try LiveBench.run(model, prompt: prompt, count: after))
                }
            }
        }

        struct Goldens: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "goldens", abstract: "Compare with a file of tensors from TransformerLens.")

            @Argument(help: "Tensor file.", completion: .file(extensions: ["safetensors"]))
            var path: String

            func run() throws { try answering { Output.json(try HookComparison.run(path)) } }
        }

        struct Dictionaries: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "dictionaries",
                abstract: "Write sample dictionaries of every kind, or compare such a folder."
            )

            @Argument(help: "Folder.", completion: .directory)
            var folder: String

            @Flag(help: "Open the existing dictionaries, and compare with their table.")
            var compare = false

            func run() throws {
                try answering {
                    if compare { return Output.json(try DictionaryExchange.compare(folder)) }
                    try DictionaryExchange.write(to: folder)
                }
            }
        }

        struct Hooks: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "hooks",
                abstract: "Compare TransformerLens hooks with runtime hooks, and write the latter.")

            @Argument(help: "Model folder.", completion: .directory)
            var model: String

            @Argument(help: "File of captured hooks.", completion: .file(extensions: ["safetensors"]))
            var captured: String

            @Argument(help: "Output file for the runtime's hooks.", completion: .file(extensions: ["safetensors"]))
            var written: String

            func run() throws {
                try answering { Output.json(try HookExchange.run(captured, model: model, writing: written)) }
            }
        }
    }
}
