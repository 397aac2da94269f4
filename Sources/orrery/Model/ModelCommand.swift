import ArgumentParser
import Console
import JSON
import ModelLab
import Models
import Providers
import System

/// The `orrery model` command: local and remote models.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Run, inspect, measure, and quantize language models.",
        discussion: """
            MODEL is a name set with `model add`, a GGUF file, a folder with config.json and safetensors, a llama2.c \
            file, or a remote endpoint or program:

            \(providers)
            """,
        subcommands: [
            List.self, Add.self, Remove.self, Inspect.self, Generate.self, Score.self, Tokenize.self, Render.self,
            Embed.self, Quantize.self, Bench.self, TrainTokenizer.self, Activations.self, LogitsOfTokens.self,
            DecodedTensor.self, Detokenize.self, RenderLines.self, Greedy.self, Pace.self, Fuzz.self,
        ])

    private static var providers: String {
        Providers.knownProviders.map { "\($0.form.padded(to: 34))\($0.explanation)" }.joined(separator: "\n")
    }
}

extension ModelCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the models in the workspace.")

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let entries = place.isUnused ? [] : try ModelRegistry(try place.openForReading()).entries()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("models", entries.map(EntryDescription.init)) }
                    return Output.result(json.text)
                }
                guard !entries.isEmpty else {
                    return Output.result("no models yet. To add one, run: orrery model add PATH")
                }
                var table = TextTable(
                    ["model", "architecture", "weights", "parameters", "size", "context", "source"],
                    rightAligned: [3, 4, 5])
                for entry in entries {
                    table.add([
                        entry.name, entry.file?.architecture ?? "remote", entry.file?.formats ?? "",
                        entry.file.map { Format.compact($0.parameters) } ?? "",
                        entry.file.map { Format.bytes($0.bytes) } ?? "",
                        entry.file.map { Format.count($0.contextLength) } ?? "", entry.specification,
                    ])
                }
                Output.result(table.text)
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a model to the workspace under a name. Weights are not copied.")

        @Argument(help: "Model file, folder, or provider:model, such as openai:gpt-4o-mini.", completion: .file())
        var model: String

        @Option(help: "Model name (default: from the file or provider).")
        var name: String?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard name.map({ name in !name.isEmpty && !name.contains { $0.isWhitespace || $0 == "/" } }) ?? true else {
                throw ValidationError("--name must be one word without spaces or slashes.")
            }
        }

        func run() throws {
            try answering {
                let house = ModelHouse(try place.open())
                let entry = try house.add(model, name: name, at: Clock.nanoseconds(.wall))
                if output.json { return Output.json(EntryDescription(entry: entry)) }
                Output.result(
                    "added \(entry.name). Try: orrery model generate \(entry.name) --prompt \"Once upon a time\"")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a model from the workspace. Its file is not deleted.")

        @Argument(help: "Model name.")
        var name: String

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                try ModelRegistry(try place.openExisting()).remove(named: name)
                Output.result("removed \(name) from the workspace; its file was not deleted")
            }
        }
    }

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect", abstract: "Show a model file: sizes, formats, metadata, and tensors.")

        @OptionGroup var model: ModelFileArgument

        @Flag(help: "List every tensor.")
        var tensors = false

        @Flag(help: "List all metadata.")
        var metadata = false

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let summary = try Checkpoints.summary(try model.path())
                if output.json { return Output.json(summary) }
                Output.result(ModelSummaryText(summary: summary, showsTensors: tensors, showsMetadata: metadata).text)
            }
        }
    }
}

/// A registered model as JSON.
struct EntryDescription: JSONRepresentable {
    let entry: ModelEntry

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", entry.name)
            $0.member("specification", entry.specification)
            $0.member("architecture", ifPresent: entry.file?.architecture)
            $0.member("formats", ifPresent: entry.file?.formats)
            $0.member("parameters", ifPresent: entry.file?.parameters)
            $0.member("bytes", ifPresent: entry.file?.bytes)
            $0.member("context_length", ifPresent: entry.file?.contextLength)
        }
    }
}

/// An argument for a local model: a name in the workspace, or a path.
struct ModelFileArgument: ParsableArguments {
    @Argument(help: "Model name, or path of a model file or folder.", completion: .file())
    var model: String

    @OptionGroup var place: WorkspaceOptions

    /// Returns the path of the model file.
    ///
    /// - Throws: `Problem` if the model is remote.
    func path() throws -> String { try place.modelPath(model) }
}
