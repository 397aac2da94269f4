import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import System
import Tokenizers

extension AttentionCommand {
    struct Heads: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "heads",
            abstract: "Score every head: previous, duplicate, induction, first, and current token.",
            discussion: """
                Without --prompt, the text is a start token followed by a random sequence that occurs twice, the usual \
                test for induction heads. With --prompt, the induction and duplicate-token scores are means over the \
                tokens that also occur earlier in the text, as in the Attention panel. Each score is printed with its \
                definition; --all adds the scores of TransformerLens, which use a different scale.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(name: .shortAndLong, help: "Text to score (default: repeated random tokens).")
        var prompt: String?

        @Option(help: "Number of random tokens in the repeated sequence.")
        var period = 24

        @Option(help: "Seed of the random tokens.")
        var seed: UInt64 = 1

        @Flag(help: "Print all definitions, including TransformerLens's detector.")
        var all = false

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard (2...4096).contains(period) else { throw ValidationError("--period must be 2 to 4096.") }
        }

        func result(in options: JSONOption) throws -> Report<HeadReport> {
            let opened = try OpenedCheckpoint(path: try model.path())
            let repeated = try prompt == nil ? repeatedPrompt(opened) : nil
            let tokens = try repeated?.tokens ?? opened.prompt(PromptOptions.text(prompt ?? ""))
            let hasRepeats = Set(tokens).count < tokens.count
            let definitions = HeadScoreDefinition.allCases.filter { definition in
                (all || definition.measure == .mean) && (hasRepeats || !definition.target.isOfRepetition)
            }
            if !hasRepeats {
                Output.note(
                    "no scores for induction and duplicate token, because every token occurs only once. Use text "
                        + "that repeats itself, or omit --prompt.")
            }
            let runtime = try opened.runtime()
            let cancelling = Cancelling()
            let scores = try cancelling.run {
                try runtime.headScores(
                    definitions, tokens: tokens, prompt: repeated, isCancelled: { cancelling.isCancelled })
            }
            let report = HeadReport(definitions: definitions, scores: scores)
            return Report(report, notes: definitions.map { "\($0.name): \($0.sentence)" }) { report.table }
        }

        private func repeatedPrompt(_ opened: OpenedCheckpoint) throws -> RepeatedPrompt {
            let beginning = opened.tokenizer.addsBOS ? opened.tokenizer.special.bos : nil
            let most = opened.checkpoint.configuration.contextLength
            let needed = 2 * period + (beginning == nil ? 0 : 1)
            guard needed <= most else {
                throw Problem(
                    .invalid, opened.path, "the repeated text has \(needed) tokens, but the context length is \(most)",
                    remedy: "Use --period \(max(1, (most - needed + 2 * period) / 2)).")
            }
            return try .random(
                period: period, from: 0..<TokenID(opened.tokenizer.vocabularySize),
                excluding: opened.tokenizer.endOfGeneration,
                beginning: beginning, seed: seed)
        }
    }
}

extension HeadScoreDefinition.Target {
    /// Whether the score depends on tokens that occurred earlier in the text.
    fileprivate var isOfRepetition: Bool { self == .induction || self == .duplicateToken }
}

/// Scores of all heads, as a table and as JSON.
struct HeadReport: JSONRepresentable {
    let definitions: [HeadScoreDefinition]
    let scores: [HeadScoreDefinition: [[Double]]]

    var table: String {
        var table = TextTable(["head"] + definitions.map(\.name), rightAligned: Set(1...max(1, definitions.count)))
        let layers = scores.values.first ?? []
        for layer in layers.indices {
            for head in layers[layer].indices {
                table.add(
                    ["L\(layer)H\(head)"]
                        + definitions.map { Format.fixed(scores[$0]?[layer][head] ?? .nan, digits: 3) })
            }
        }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects("scores", of: definitions) { definition, json in
                json.member("name", definition.name)
                json.member("definition", definition.sentence)
                json.member("layers", scores[definition] ?? [])
            }
        }
    }
}
