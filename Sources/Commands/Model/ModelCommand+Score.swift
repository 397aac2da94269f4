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
import Tables
import Tokenizers
import Workspace

extension ModelCommand {
    struct Score: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "score", abstract: "Show the log probability of each token of the text.")

        @OptionGroup var model: ModelFileArgument

        @Option(name: .shortAndLong, help: "Text to score; - reads standard input.")
        var text: String

        @Option(help: "Context before the text; not scored.")
        var prompt: String?

        @Option(help: "Number of threads (default: one per core).")
        var threads: Int?

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<ScoredToken> {
            let local = try LocalModel(path: try model.path(), options: .init(threads: threads))
            let given = text == "-" ? String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) : text
            let before = prompt.map { local.tokenizer.encode($0) } ?? []
            // Encode prompt and text separately, so that the text starts at a token boundary.
            let ids = before + local.tokenizer.encode(given, addingSpecialTokens: before.isEmpty)
            let cancellation = Cancellation()
            let scores = try Interruption.cancelling(cancellation) {
                try local.withGenerator { generator, _ in
                    try generator.score(ids, from: max(1, before.count), isCancelled: { cancellation.isCancelled })
                }
            }
            let figures =
                "\(Format.count(scores.count)) tokens, log likelihood \(Format.fixed(scores.logLikelihood, digits: 3))"
                + (scores.perplexity.map { ", perplexity \(Format.fixed($0, digits: 3))" } ?? "")
            var listing = Listing(scores, "tokens", notes: [figures]) { table in
                table.member("id") { Int($0.id) }
                table.text("token", json: "piece") { local.tokenizer.piece($0.id) }
                table.text("log p", json: "log_probability", align: .right, \.logProbability) {
                    Format.fixed($0, digits: 3)
                }
                table.text("rank", json: "rank", align: .right, \.rank)
                table.text("entropy", json: "entropy", align: .right, \.entropy) { Format.fixed($0, digits: 2) }
            }
            listing.leading = {
                $0.member("log_likelihood", scores.logLikelihood)
                $0.member("perplexity", ifPresent: scores.perplexity)
            }
            return listing
        }
    }
}
