import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Models
import System
import Tokenizers

extension ModelCommand {
    struct Embed: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "embed",
            abstract: "Turn texts into vectors with an encoder such as MiniLM, or score pairs.",
            discussion:
                "Texts are arguments or lines of standard input. "
                + "With --pair, a cross-encoder scores each text against a query."
        )

        @OptionGroup var model: ModelFileArgument

        @Argument(help: "Texts to embed (default: lines of standard input).")
        var texts: [String] = []

        @Option(help: "Query to score each text against, with a cross-encoder.")
        var pair: String?

        @Option(help: "Pooling: mean or cls (default: from the model).")
        var pooling: String?

        @Flag(help: "Parse special tokens such as [MASK] in the text.")
        var special = false

        @OptionGroup var output: JSONOption

        func validate() throws { _ = try pooling.map(Pooling.named) }

        func run() throws {
            try answering {
                let path = try model.path()
                let checkpoint = try Checkpoints.open(path)
                guard checkpoint.configuration.pooling != nil else {
                    throw Problem(
                        .invalid, "", "\(path) is not an encoder",
                        remedy: "To generate text with it, run: orrery model generate")
                }
                guard let tokenizer = try checkpoint.tokenizer() else {
                    throw Problem(
                        .missing, path, "no tokenizer in the model file or folder", remedy: "Add a tokenizer.json.")
                }
                var lines = texts
                if lines.isEmpty { while let line = readLine() { lines.append(line) } }
                guard !lines.isEmpty else {
                    throw Problem(
                        .missing, "", "no text to embed", remedy: "Pass texts as arguments or on standard input.")
                }
                let encodings = lines.map { line in
                    pair.map { tokenizer.encoding(of: $0, and: line, parsingSpecialTokens: special) }
                        ?? tokenizer.encoding(of: line, parsingSpecialTokens: special)
                }
                let most = min(checkpoint.configuration.contextLength, Self.sentenceLength(path) ?? .max)
                let ids = encodings.map { Self.cut($0.ids, to: most) }
                let types = encodings.map { Self.cut($0.typeIDs, to: most).map { Int($0) } }
                let transformer = try Transformer.load(checkpoint)
                let pass = ForwardPass()
                let vectors =
                    pair == nil
                    ? try transformer.encode(ids, tokenTypes: types, pooling: pooling.map(Pooling.named), in: pass)
                    : try transformer.scores(ids, tokenTypes: types, in: pass)
                for (index, line) in lines.enumerated() where encodings[index].ids.count > most {
                    Output.note("orrery: text truncated to \(most) tokens: \(line.prefix(40))…")
                }
                report(lines, vectors)
            }
        }

        /// Truncates a text but keeps its closing token.
        private static func cut<Element>(_ all: [Element], to most: Int) -> [Element] {
            guard all.count > most, most > 1, let last = all.last else { return Array(all.prefix(most)) }
            return all.prefix(most - 1) + [last]
        }

        /// Returns the maximum sequence length that a sentence-transformers folder records.
        private static func sentenceLength(_ path: String) -> Int? {
            guard let text = try? SmallFile.text(path + "/sentence_bert_config.json"),
                let document = try? JSONDocument(parsing: text)
            else { return nil }
            return document.withRoot { $0["max_seq_length"]?.int }.flatMap { Int(exactly: $0) }
        }

        private func report(_ lines: [String], _ vectors: Embeddings) {
            for (index, line) in lines.enumerated() {
                if output.json {
                    var json = JSONWriter()
                    json.object {
                        $0.member("text", line)
                        $0.member("vector", vectors[index].map { Double($0) })
                    }
                    Output.result(json.text)
                } else {
                    let numbers = vectors[index].prefix(6).map { Format.fixed(Double($0), digits: 4) }
                    let rest = vectors.width > 6 ? " … (\(vectors.width))" : ""
                    Output.result(numbers.joined(separator: " ") + rest + "  " + Printable.line(line))
                }
            }
        }
    }
}

extension Pooling {
    /// Parses a value of `--pooling`.
    static func named(_ word: String) throws -> Pooling {
        guard let pooling = Pooling(rawValue: word), pooling != .rank else {
            throw ValidationError("--pooling must be mean or cls.")
        }
        return pooling
    }
}
