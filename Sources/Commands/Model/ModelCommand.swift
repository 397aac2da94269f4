import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import ModelLab
import Models
import Providers
import System
import Tables

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
            Embed.self, Quantize.self, Bench.self, TrainTokenizer.self, Activations.self,
        ])

    private static var providers: String {
        Providers.knownProviders.map { "\($0.form.padded(to: 34))\($0.explanation)" }.joined(separator: "\n")
    }
}

extension ModelCommand {
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the models in the workspace.")

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<ModelEntry> {
            Listing(
                try options.workspace().map { try ModelRegistry($0).entries() } ?? [], "models",
                empty: "no models yet. To add one, run: orrery model add PATH")
        }
    }

    struct Add: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a model to the workspace under a name. Weights are not copied.")

        @Argument(help: "Model file, folder, or provider:model, such as openai:gpt-4o-mini.", completion: .file())
        var model: String

        @Option(help: "Model name (default: from the file or provider).")
        var name: String?

        @OptionGroup var reading: WorkspaceJSON

        func validate() throws {
            guard name.map({ name in !name.isEmpty && !name.contains { $0.isWhitespace || $0 == "/" } }) ?? true else {
                throw ValidationError("--name must be one word without spaces or slashes.")
            }
        }

        func result(in options: WorkspaceJSON) throws -> Report<Record<ModelEntry>> {
            let entry = try ModelHouse(try options.place.open()).add(model, name: name, at: Clock.nanoseconds(.wall))
            return Report(entry.record) {
                "added \(entry.name). Try: orrery model generate \(entry.name) --prompt \"Once upon a time\""
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

    struct Inspect: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect", abstract: "Show a model file: sizes, formats, metadata, and tensors.")

        @OptionGroup var model: ModelFileArgument

        @Flag(help: "List every tensor.")
        var tensors = false

        @Flag(help: "List all metadata.")
        var metadata = false

        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> Report<ModelSummary> {
            let summary = try Checkpoints.summary(try model.path())
            return Report(summary) {
                ModelSummaryText(summary: summary, showsTensors: tensors, showsMetadata: metadata).text
            }
        }
    }
}

extension ModelEntry: Tabular {
    static func columns(_ table: inout Columns<ModelEntry>) {
        table.text("model", json: "name", \.name)
        table.member("specification", \.specification)
        table.member("architecture", ifPresent: \.file?.architecture)
        table.text("architecture") { $0.file?.architecture ?? "remote" }
        table.text("weights", ifPresent: "formats", \.file?.formats)
        table.text("parameters", ifPresent: "parameters", align: .right, \.file?.parameters) { Format.compact($0) }
        table.text("size", ifPresent: "bytes", align: .right, \.file?.bytes) { Format.bytes($0) }
        table.text("context", ifPresent: "context_length", align: .right, \.file?.contextLength) { Format.count($0) }
        table.text("source", \.specification)
    }
}
