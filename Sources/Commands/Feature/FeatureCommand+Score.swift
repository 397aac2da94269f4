import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Interpretability
import JSON
import System
import Tokenizers

extension FeatureCommand {
    struct Score: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "score",
            abstract: "Measure how often a feature held at a value has an effect.",
            discussion: """
                Every prompt is continued three times with the most probable tokens: untouched; with the feature held \
                at --value (steered); and with the same change along a random direction of the feature's length, drawn \
                for each prompt (control). A generation counts if it matches --expect. Intervals are Wilson's, 95 %. \
                KL is the divergence between the next-token distributions of the original and the changed model on \
                the changed text, in nats.
                """)

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "Feature number.")
        var feature: Int

        @Option(help: "Value at which the feature is held.")
        var value: Float

        @Option(
            help: "Prompts: .txt lines, or .jsonl with \"prompt\" or \"text\".", completion: .file())
        var prompts: String

        @Option(help: "Regular expression that counts as the effect.")
        var expect: String

        @Option(name: .customLong("max-tokens"), help: "Maximum generated tokens.")
        var most = 24

        @Option(name: .customLong("control-seed"), help: "Seed of the random directions.")
        var controlSeed: UInt64 = 0

        @Option(help: "Examples to print of each kind.")
        var examples = 3

        @Option(help: "Model name or file, if not recorded.", completion: .file())
        var model: String?

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard value.isFinite else { throw ValidationError("--value must be a finite number.") }
            guard (1...10_000).contains(most), (0...1000).contains(examples) else {
                throw ValidationError("--max-tokens must be 1 to 10,000, and --examples 0 to 1000.")
            }
        }

        func result(in options: JSONOption) throws -> some Presentable {
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
            return Report(report) { report.text(examples: examples) }
        }
    }
}

/// Regular expression that generations must match.
private struct ExpectedText {
    private let pattern: Regex<AnyRegexOutput>

    init(_ word: String) throws {
        do { pattern = try Regex(word) } catch {
            throw Problem(.failed, "", "\"\(word)\" is not a valid regular expression: \(error)")
        }
    }

    func isFound(_ text: String) -> Bool { text.firstMatch(of: pattern) != nil }
}

/// Prompts of a file.
private enum ScoredPrompts {
    static func read(_ path: String) throws -> [String] {
        let lines = try SmallFile.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let isRecords = path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
        var prompts: [String] = []
        for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
            prompts.append(isRecords ? try record(line, "\(path), line \(index + 1)") : String(line))
        }
        guard !prompts.isEmpty else {
            throw Problem(.missing, "", "\(path) contains no prompts", remedy: "Write one prompt per line.")
        }
        return prompts
    }

    private static func record(_ line: Substring, _ place: String) throws -> String {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: String(line)) } catch {
            throw Problem(.failed, place, "\(sentence(for: error))")
        }
        let prompt = document.withRoot { $0["prompt"]?.string ?? $0["text"]?.string }
        guard let prompt, !prompt.isEmpty else {
            throw Problem(.missing, place, "missing \"prompt\" or \"text\"", remedy: "Add one of them as a string.")
        }
        return prompt
    }
}
