import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Models
import System
import Tokenizers
import Traces
import Workspace

extension ModelCommand {
    struct TrainTokenizer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train-tokenizer",
            abstract: "Train a tokenizer on text files, and write tokenizer.json.")

        @Argument(help: "Text files to train on, split into lines.", completion: .file())
        var texts: [String]

        @Option(name: .shortAndLong, help: "File to write.", completion: .file(extensions: ["json"]))
        var output: String

        @Option(help: "Algorithm: bpe (byte level), wordpiece, or unigram.")
        var type = "bpe"

        @Option(help: "Vocabulary size.")
        var vocabulary: Int = 8_000

        @Option(help: "Minimum frequency of merged pairs (bpe, wordpiece).")
        var minimumFrequency: Int = 2

        @Option(name: .customLong("special"), help: "Special token; repeatable.")
        var specialTokens: [String] = []

        @Flag(help: "Overwrite an existing file.")
        var force = false

        func validate() throws {
            guard ["bpe", "wordpiece", "unigram"].contains(type) else {
                throw ValidationError("unknown --type \"\(type)\". Use bpe, wordpiece, or unigram.")
            }
            guard vocabulary > 0, minimumFrequency >= 0 else {
                throw ValidationError("--vocabulary must be at least 1, and --minimum-frequency at least 0.")
            }
        }

        func run() throws {
            try answering {
                let lines = try texts.flatMap { path in
                    try SmallFile.text(path).split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
                }
                // The monitor is called on this thread only.
                nonisolated(unsafe) let line = FractionLine("training")
                let cancellation = Cancellation()
                let monitor = TrainingMonitor(
                    report: { stage, done, total in
                        line.show(total > 0 ? Double(done) / Double(total) : 0, stage.name)
                    }, isCancelled: { cancellation.isCancelled })
                let document = try Interruption.cancelling(cancellation) { try train(lines, monitor) }
                line.end()
                try ExportFile.write(output, replacing: force) { try $0(document.json(.pretty)) }
                let tokenizer = try Tokenizer(json: Array(document.json().utf8))
                let bytes = lines.reduce(0) { $0 + $1.utf8.count }
                let tokens = lines.reduce(0) { $0 + tokenizer.encode($1, addingSpecialTokens: false).count }
                Output.result(
                    "wrote \(output): \(Format.count(tokenizer.vocabularySize)) pieces from \(Format.bytes(bytes))")
                Output.note(
                    "\(Format.fixed(Double(bytes) / Double(max(1, tokens)), digits: 2)) bytes per token on these texts"
                )
            }
        }

        private func train(_ lines: [String], _ monitor: TrainingMonitor) throws -> TokenizerDocument {
            switch type {
            case "wordpiece":
                var trainer = WordPieceTrainer(vocabularySize: vocabulary, minimumFrequency: minimumFrequency)
                if !specialTokens.isEmpty { trainer.specialTokens = specialTokens }
                return try trainer.train(on: lines, monitor: monitor)
            case "unigram":
                var trainer = UnigramTrainer(vocabularySize: vocabulary)
                if !specialTokens.isEmpty { trainer.specialTokens = specialTokens }
                return try trainer.train(on: lines, monitor: monitor)
            default:
                let trainer = BPETrainer(
                    vocabularySize: vocabulary, minimumFrequency: minimumFrequency, specialTokens: specialTokens)
                return try trainer.train(on: lines, monitor: monitor)
            }
        }
    }
}
