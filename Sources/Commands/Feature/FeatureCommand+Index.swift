import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Formatting
import Interpretability
import JSON
import Models
import Tokenizers
import Workspace

extension FeatureCommand {
    struct Index: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "index",
            abstract: "Index what activates each feature of a dictionary.",
            discussion: """
                The texts are read once. For each feature, the workspace stores the strongest examples, examples of \
                every strength, a histogram, the density, related features, and promoted tokens. An interrupted index \
                resumes. With --activations, activations come from a file, and no model runs.
                """)

        @OptionGroup var dictionary: DictionaryArgument
        @OptionGroup var texts: TextsOptions

        @Option(help: "Model name or file, if not recorded.", completion: .file())
        var model: String?

        @Option(help: "Precomputed activations: .safetensors or .jsonl.", completion: .file())
        var activations: String?

        @Option(help: "Memory limit of the index build, in MiB.")
        var memory = FeatureIndexBuilder.Settings.usualMemory >> 20

        @Flag(help: "Start over instead of resuming an interrupted index.")
        var afresh = false

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (16...1 << 20).contains(memory) else {
                throw ValidationError("--memory must be 16 to 1,048,576 MiB.")
            }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found(writing: true)
                if afresh { try store.discardUnfinishedIndex(of: record.id) }
                let cancellation = Cancellation()
                let line = FractionLine("indexing")
                let index = try Interruption.cancelling(cancellation) {
                    try activations.map { path in try self.index(path, record, store, cancellation) }
                        ?? self.index(record, store, cancellation, line)
                }
                line.end()
                try store.acceptWeights(of: record.id)
                output.json
                    ? Output.json(index)
                    : Output.result(
                        "\(record.name): \(Format.count(index.tokens)) tokens in \(Format.count(index.sequences)) "
                            + "sequences"
                    )
                if !output.json { Output.note(FeatureSteps.indexed(record)) }
            }
        }

        private func index(
            _ record: FeatureDictionary, _ store: FeatureStore, _ cancellation: Cancellation, _ line: FractionLine
        ) throws -> FeatureIndex {
            let opened = try OpenedDictionary(record)
            let model = try InspectedModel(path: try dictionary.modelPath(of: opened.record, model))
            let hook = try opened.hook(in: model)
            let sequences = try texts.sequences(for: model)
            let total = sequences.reduce(0) { $0 + $1.count }
            var settings = FeatureIndexBuilder.Settings()
            settings.source = texts.texts.joined(separator: " ")
            settings.fingerprint = texts.fingerprint(model: model, record)
            settings.memoryLimit = memory << 20
            return try store.index(
                record, weights: opened.weights, model: model, hook: hook, over: sequences, settings: settings,
                cancellation: cancellation
            ) { done in
                line.show(
                    Double(done) / Double(max(1, total)), "\(Format.count(done)) of \(Format.count(total)) tokens")
            }
        }

        private func index(
            _ path: String, _ record: FeatureDictionary, _ store: FeatureStore, _ cancellation: Cancellation
        ) throws -> FeatureIndex {
            let decoder = try record.path.map { _ in try OpenedDictionary(record).weights.decoder }
            return try store.importActivations(
                path, into: record.id, decoder: decoder, memoryLimit: memory << 20, cancellation: cancellation)
        }
    }
}
