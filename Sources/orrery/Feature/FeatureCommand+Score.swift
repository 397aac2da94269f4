import ArgumentParser
import Console
import FeatureLab
import Interpretability
import JSON
import Tokenizers

extension FeatureCommand {
    struct Score: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "score",
            abstract: "Count over many prompts how often a feature held at a value does what is said of it.",
            discussion: """
                Every prompt is answered three times, by the most probable tokens: untouched; with the feature held at the \
                value (steered); and with the same change along a random direction of the feature's length, another one for \
                each prompt (control). An answer counts where the regular expression is found in it. Intervals are Wilson's, \
                95 %; KL is that of the untouched model's next token from the changed one's, on the changed text, in nats.
                """)

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "The feature.")
        var feature: Int

        @Option(help: "What it is held at.")
        var value: Float

        @Option(
            help: "Prompts: a line each of .txt, \"prompt\" or \"text\" of each record of .jsonl.", completion: .file())
        var prompts: String

        @Option(help: "A regular expression that is looked for in the answers.")
        var expect: String

        @Option(name: .customLong("max-tokens"), help: "Tokens of an answer.")
        var most = 24

        @Option(name: .customLong("control-seed"), help: "Of the random directions.")
        var controlSeed: UInt64 = 0

        @Option(help: "Answers that are shown of each kind.")
        var examples = 3

        @Option(help: "The model's name or file, where it is not known.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard value.isFinite else { throw ValidationError("--value takes a number.") }
            guard (1...10_000).contains(most), (0...1000).contains(examples) else {
                throw ValidationError("--max-tokens takes 1 to 10000, --examples 0 to 1000.")
            }
        }

        func run() throws {
            try answering {
                let expected = try ExpectedText(expect)
                let texts = try ScoredPrompts.read(prompts)
                let record = try dictionary.found().record
                let opened = try OpenedDictionary(record)
                let model = try InspectedModel(path: try dictionary.modelPath(of: opened.record, model))
                let trial = FeatureTrial(
                    model: model, hook: try opened.hook(in: model), dictionary: opened.weights, feature: feature,
                    value: value, tokens: most, seed: controlSeed)
                let cancelling = Cancelling()
                let line = FractionLine("answering")
                let report = try cancelling.run {
                    var report = FeatureScore(
                        dictionary: opened.record.name, feature: feature, value: value, expected: expect)
                    for (index, text) in texts.enumerated() {
                        line.show(Double(index) / Double(texts.count), "\(index) of \(texts.count) prompts")
                        report.add(
                            text, try trial.answers(to: text, number: index) { cancelling.isCancelled },
                            isExpected: expected.isFound)
                    }
                    return report
                }
                line.end()
                output.json ? Output.json(report) : Output.result(report.text(examples: examples))
            }
        }
    }
}

/// What answers are looked through for.
private struct ExpectedText {
    private let pattern: Regex<AnyRegexOutput>

    init(_ word: String) throws {
        do { pattern = try Regex(word) } catch {
            throw Failure("\"\(word)\" is no regular expression: \(error).")
        }
    }

    func isFound(_ text: String) -> Bool { text.firstMatch(of: pattern) != nil }
}

/// The prompts of a file.
private enum ScoredPrompts {
    static func read(_ path: String) throws -> [String] {
        let lines = try SmallFile.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let isRecords = path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
        var prompts: [String] = []
        for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
            prompts.append(isRecords ? try record(line, "\(path), line \(index + 1)") : String(line))
        }
        guard !prompts.isEmpty else { throw Failure("\(path): there is no prompt in it.") }
        return prompts
    }

    private static func record(_ line: Substring, _ place: String) throws -> String {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: String(line)) } catch {
            throw Failure("\(place): \(sentence(for: error))")
        }
        let prompt = document.withRoot { $0["prompt"]?.string ?? $0["text"]?.string }
        guard let prompt, !prompt.isEmpty else {
            throw Failure("\(place): a record needs a text under \"prompt\" or \"text\".")
        }
        return prompt
    }
}
