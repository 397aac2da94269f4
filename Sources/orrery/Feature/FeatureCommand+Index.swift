import ArgumentParser
import Console
import FeatureLab
import Interpretability
import JSON
import Models
import Tokenizers
import Workspace

extension FeatureCommand {
    struct Index: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "index",
            abstract: "Find what every feature of a dictionary fires on, and keep it in the workspace.",
            discussion: """
                The texts are read once; of each feature the strongest places, places of every strength, histogram, density, \
                related features and the tokens that it makes likelier are kept. An index that was cut off goes on where \
                it was. With --activations the activations of a file are taken, and no model runs.
                """)

        @OptionGroup var dictionary: DictionaryArgument
        @OptionGroup var texts: TextsOptions

        @Option(help: "The model's name or file, where it is not known.", completion: .file())
        var model: String?

        @Option(help: "Precomputed activations: .safetensors or .jsonl.", completion: .file())
        var activations: String?

        @Option(help: "MiB that building it may take.")
        var memory = FeatureIndexBuilder.Settings.usualMemory >> 20

        @Flag(help: "Begin anew where an index was cut off.")
        var afresh = false

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (16...1 << 20).contains(memory) else { throw ValidationError("--memory takes 16 to 1048576 MiB.") }
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
                        "\(record.name): \(Format.count(index.tokens)) tokens in \(Format.count(index.sequences)) sequences"
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
            let readout = try OpenedCheckpoint(path: model.path).runtime().readout()
            var settings = FeatureIndexBuilder.Settings()
            settings.source = texts.texts.joined(separator: " ")
            settings.fingerprint = texts.fingerprint(model: model, record)
            settings.memoryLimit = memory << 20
            var stream: FeatureStream?
            var done = 0
            return try store.buildIndex(
                of: record.id, settings: settings, totalTokens: total, decoder: opened.weights.decoder,
                logits: { features in
                    try opened.weights.logitEffects(of: Array(features), readout).map {
                        FeatureLogits($0, text: model.text(of:))
                    }
                }, cancellation: cancellation
            ) { first in
                let source =
                    try stream
                    ?? FeatureStream(
                        model, hook: hook, dictionary: opened.weights, sequences: sequences, startingAt: first,
                        skippedPositions: Self.uncounted)
                if stream == nil { done = sequences[..<min(first, sequences.count)].reduce(0) { $0 + $1.count } }
                stream = source
                guard let block = try next(of: source, cancellation) else { return nil }
                done += block.tokens.count
                line.show(
                    Double(done) / Double(max(1, total)), "\(Format.count(done)) of \(Format.count(total)) tokens")
                return FeatureBlock(
                    sequences: [block.tokens], codes: block.codes, uncounted: Self.uncounted)
            }
        }

        /// The first token of a sequence has nothing before it: it is neither encoded nor counted.
        private static let uncounted = 1

        /// A sequence with its features; somebody's ending it is no failure of the job.
        private func next(of stream: FeatureStream, _ cancellation: Cancellation) throws -> FeatureStream.Block? {
            do { return try stream.next(isCancelled: { cancellation.isCancelled }) } catch {
                throw error.isCancellation ? CancellationError() : error as any Error
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

extension FeatureLogits {
    /// What a direction does to the logits, with the texts of the tokens.
    init(_ effect: LogitEffect, text: (TokenID) -> String) {
        func named(_ tokens: [LogitEffect.TokenEffect]) -> [TokenLogit] {
            tokens.map { TokenLogit(token: $0.token, text: text($0.token), value: $0.value) }
        }
        self.init(positive: named(effect.top), negative: named(effect.bottom))
    }
}
