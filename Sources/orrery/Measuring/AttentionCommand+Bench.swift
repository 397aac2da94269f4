import ArgumentParser
import Interpretability
import JSON
import Models

extension AttentionCommand {
    /// What the benchmark times and compares.
    struct Bench: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bench", abstract: "Time and compare what looks into models.", shouldDisplay: false,
            subcommands: [Live.self, Goldens.self, Dictionaries.self, Hooks.self])

        struct Live: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "live",
                abstract: "Time a token with everything watched, a rerun, and the grid of all heads of a long text.")

            @OptionGroup var model: ModelFileArgument

            @Option(help: "Tokens of the prompt.")
            var tokens = 256

            @Option(help: "Tokens that come after it.")
            var after = 64

            func validate() throws {
                guard (2...1 << 20).contains(tokens) else {
                    throw ValidationError("--tokens is a number from 2 to 1,048,576.")
                }
                guard (1...1 << 16).contains(after) else {
                    throw ValidationError("--after is a number from 1 to 65,536.")
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
                commandName: "goldens", abstract: "Compare with a file of tensors that TransformerLens made.")

            @Argument(help: "The file.", completion: .file(extensions: ["safetensors"]))
            var path: String

            func run() throws { try answering { Output.json(try HookComparison.run(path)) } }
        }

        struct Dictionaries: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "dictionaries",
                abstract: "Write dictionaries of every kind with what they make of some rows, or compare such a folder."
            )

            @Argument(help: "The folder.", completion: .directory)
            var folder: String

            @Flag(help: "Open what is there and compare it with the table beside it.")
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
                abstract: "Compare hooks that TransformerLens captured with those of the runtime, and write these.")

            @Argument(help: "The folder of the model.", completion: .directory)
            var model: String

            @Argument(help: "What was captured.", completion: .file(extensions: ["safetensors"]))
            var captured: String

            @Argument(help: "Where the hooks of the runtime go.", completion: .file(extensions: ["safetensors"]))
            var written: String

            func run() throws {
                try answering { Output.json(try HookExchange.run(captured, model: model, writing: written)) }
            }
        }
    }
}
