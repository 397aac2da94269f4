import ArgumentParser
import Console
import JSON
import Models
import Tokenizers
import Traces
import Workspace

extension ModelCommand {
    struct TrainTokenizer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train-tokenizer",
            abstract: "Learn a vocabulary from texts, and write it as tokenizer.json.")

        @Argument(help: "Files of text; each is learned from line by line.", completion: .file())
        var texts: [String]

        @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["json"]))
        var output: String

        @Option(help: "bpe (over bytes), wordpiece or unigram.")
        var type = "bpe"

        @Option(help: "Pieces of the vocabulary.")
        var vocabulary: Int = 8_000

        @Option(help: "Pairs that occur less often are not merged (bpe, wordpiece).")
        var minimumFrequency: Int = 2

        @Option(name: .customLong("special"), help: "A special token; may be given several times.")
        var specialTokens: [String] = []

        @Flag(help: "Replace a file that is there.")
        var force = false

        func validate() throws {
            guard ["bpe", "wordpiece", "unigram"].contains(type) else {
                throw ValidationError("--type takes bpe, wordpiece or unigram.")
            }
            guard vocabulary > 0, minimumFrequency >= 0 else {
                throw ValidationError("--vocabulary takes 1 or more, --minimum-frequency 0 or more.")
            }
        }

        func run() throws {
            try answering {
                let lines = try texts.flatMap { path in
                    try SmallFile.text(path).split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
                }
                // The monitor is called on this thread alone.
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
                Output.result("\(output): \(Format.count(tokenizer.vocabularySize)) pieces from \(Format.bytes(bytes))")
                Output.note(
                    "\(Format.fixed(Double(bytes) / Double(max(1, tokens)), digits: 2)) bytes a token on the same text")
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
