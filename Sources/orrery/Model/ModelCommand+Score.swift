import ArgumentParser
import CommandSupport
import Console
import Formatting
import Inference
import JSON
import ModelLab
import Models
import Providers
import System
import Tokenizers
import Workspace

extension ModelCommand {
    struct Score: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "score", abstract: "Show the log probability of each token of the text.")

        @OptionGroup var model: ModelFileArgument

        @Option(name: .shortAndLong, help: "Text to score; - reads standard input.")
        var text: String

        @Option(help: "Context before the text; not scored.")
        var prompt: String?

        @Option(help: "Number of threads (default: one per core).")
        var threads: Int?

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let local = try LocalModel(path: try model.path(), options: .init(threads: threads))
                let given = text == "-" ? String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) : text
                let before = prompt.map { local.tokenizer.encode($0) } ?? []
                // Encode prompt and text separately, so that the text starts at a token boundary.
                let ids = before + local.tokenizer.encode(given, addingSpecialTokens: before.isEmpty)
                let cancellation = Cancellation()
                let scores = try Interruption.cancelling(cancellation) {
                    try local.withGenerator { generator, _ in
                        try generator.score(
                            ids, from: max(1, before.count), isCancelled: { cancellation.isCancelled })
                    }
                }
                let report = ScoreReport(scores: scores, tokenizer: local.tokenizer)
                if output.json { return Output.json(report) }
                Output.result(report.table)
                Output.note(report.figures)
            }
        }
    }
}

/// Scores of a text, as a table and as JSON.
struct ScoreReport: JSONRepresentable {
    let scores: [ScoredToken]
    let tokenizer: Tokenizer

    var table: String {
        var table = TextTable(["token", "log p", "rank", "entropy"], rightAligned: [1, 2, 3])
        for score in scores {
            table.add([
                tokenizer.piece(score.id), Format.fixed(score.logProbability, digits: 3), String(score.rank),
                Format.fixed(score.entropy, digits: 2),
            ])
        }
        return table.text
    }

    var figures: String {
        "\(Format.count(scores.count)) tokens, log likelihood \(Format.fixed(scores.logLikelihood, digits: 3))"
            + (scores.perplexity.map { ", perplexity \(Format.fixed($0, digits: 3))" } ?? "")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("log_likelihood", scores.logLikelihood)
            json.member("perplexity", ifPresent: scores.perplexity)
            json.member("tokens") { json in
                json.array { json in
                    for score in scores {
                        json.object {
                            $0.member("id", Int(score.id))
                            $0.member("piece", tokenizer.piece(score.id))
                            $0.member("log_probability", score.logProbability)
                            $0.member("rank", score.rank)
                            $0.member("entropy", score.entropy)
                        }
                    }
                }
            }
        }
    }
}
