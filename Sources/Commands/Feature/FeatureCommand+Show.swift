import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Formatting
import Interpretability
import JSON
import Models
import Tokenizers

extension FeatureCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a feature: examples, density, and promoted tokens.",
            discussion: "Without a feature, the command lists all features in the chosen order.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "Feature number (default: list features).")
        var feature: Int?

        @Option(help: "Sort order: meaning, density, maximum, label, or feature.")
        var by = "meaning"

        @Option(name: [.customShort("n"), .long], help: "Maximum number of rows.")
        var limit = 20

        @Option(help: "Maximum number of examples.")
        var examples = 10

        @Option(help: "Model name or file for token texts, if not recorded.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard FeatureOrder(rawValue: by) != nil else {
                throw ValidationError("--by must be meaning, density, maximum, label, or feature.")
            }
            guard (1...100_000).contains(limit), (0...100).contains(examples) else {
                throw ValidationError("--limit must be 1 to 100,000, and --examples 0 to 100.")
            }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found()
                guard let feature else { return try list(record, store) }
                if let change = record.fileChange() { Output.note(change.sentence) }
                let text = try tokenText(record)
                if output.json {
                    return Output.result(
                        try store.exportDashboard(of: record.id, feature: feature, as: .json, text: text))
                }
                Output.result(
                    FeatureText(try store.dashboard(of: record.id, feature: feature), text: text).text(
                        examples: examples))
            }
        }

        private func list(_ record: FeatureDictionary, _ store: FeatureStore) throws {
            let wanted = FeatureOrder(rawValue: by) ?? .meaning
            let order = try store.possible(wanted, of: record.id)
            let rows = FeatureRows(
                rows: try store.features(of: record.id, by: order, descending: order.isBestFirst, limit: limit))
            output.json ? Output.json(rows) : Output.result(rows.table)
            if order != wanted {
                Output.note("by \(order.rawValue): " + FeatureSteps.index(record, unknown: wanted.rawValue))
            } else if !output.json, let first = rows.rows.first {
                Output.note(FeatureSteps.shown(record, first))
            }
        }

        /// Returns the text of a token, or its number if the model is unavailable.
        private func tokenText(_ record: FeatureDictionary) throws -> (TokenID) -> String {
            guard let path = try model.map(dictionary.place.modelPath) ?? (try? dictionary.modelPath(of: record, nil)),
                let tokenizer = try? Checkpoints.open(path).tokenizer()
            else { return { "\($0)" } }
            return { tokenizer.piece($0) }
        }
    }

    struct Search: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Find features by token, label, or text.",
            discussion: """
                --token lists features whose examples activate on a token, with or without a leading space. --label \
                lists features whose label contains the words. --prompt lists features that are active on the given \
                text, ordered by activation, by share of the feature's maximum (share), or by rarity.
                """)

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "Token text or number.")
        var token: String?

        @Option(help: "Words of a label.")
        var label: String?

        @Option(name: .shortAndLong, help: "Text; - reads standard input.")
        var prompt: String?

        @Option(help: "Sort order of --prompt: activation, share, or rarity.")
        var by = "activation"

        @Option(name: [.customShort("n"), .long], help: "Maximum number of features.")
        var limit = 20

        @Option(help: "Model name or file, if not recorded.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard [token, label, prompt].compactMap(\.self).count == 1 else {
                throw ValidationError("exactly one of --token, --label, or --prompt is required.")
            }
            guard PromptRank(rawValue: by) != nil else {
                throw ValidationError("--by must be activation, share, or rarity.")
            }
            guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found()
                var rows = FeatureRows(rows: [])
                if let label {
                    rows.rows = try store.features(of: record.id, labeled: label, limit: limit)
                    if rows.rows.isEmpty, try store.featureCount(of: record.id, labeled: true) == 0 {
                        rows.nothing = FeatureSteps.labels(record)
                    }
                } else if let token {
                    let opened = try OpenedCheckpoint(path: try dictionary.modelPath(of: record, model))
                    rows.rows = try store.features(
                        of: record.id, firingOn: TypedToken.all(token, in: opened.tokenizer), limit: limit)
                } else {
                    rows = try active(record, store)
                }
                output.json ? Output.json(rows) : Output.result(rows.table)
                for note in rows.notes { Output.note(note) }
                if !output.json, let first = rows.rows.first { Output.note(FeatureSteps.found(record, first)) }
            }
        }

        private func active(_ record: FeatureDictionary, _ store: FeatureStore) throws -> FeatureRows {
            let opened = try OpenedDictionary(record)
            let model = try InspectedModel(path: try dictionary.modelPath(of: record, self.model))
            let tokens = model.tokens(of: try PromptOptions.text(prompt ?? ""))
            let stream = try FeatureStream(
                model, hook: try opened.hook(in: model), dictionary: opened.weights, sequences: [tokens])
            guard let block = try stream.next() else { return FeatureRows(rows: []) }
            let wanted = PromptRank(rawValue: by) ?? .activation
            let rank = try store.possible(wanted, of: record.id)
            var rows = FeatureRows(
                rows: try store.features(of: record.id, activeIn: block.codes, by: rank, limit: limit))
            if rank != wanted {
                rows.notes.append("by \(rank.rawValue): " + FeatureSteps.index(record, unknown: wanted.rawValue))
            }
            rows.isByShare = rank == .share
            if rows.isByShare, rows.rows.contains(where: { $0.score == nil }) {
                rows.notes.append("beyond: never active on the indexed texts; listed last, by activation")
            }
            return rows
        }
    }
}

/// Dashboard of a feature as text.
struct FeatureText {
    let dashboard: FeatureDashboard
    let text: (TokenID) -> String

    init(_ dashboard: FeatureDashboard, text: @escaping (TokenID) -> String) {
        self.dashboard = dashboard
        self.text = text
    }

    func text(examples: Int) -> String {
        var parts = [head]
        if !dashboard.positive.isEmpty {
            parts.append("promoted   " + dashboard.positive.map(token).joined(separator: "  "))
            parts.append("suppressed " + dashboard.negative.map(token).joined(separator: "  "))
        }
        let shown = dashboard.top.prefix(examples)
        if !shown.isEmpty { parts.append(shown.map(line).joined(separator: "\n")) }
        if !dashboard.neighbors.isEmpty {
            parts.append("nearest directions  " + dashboard.neighbors.map(related).joined(separator: "   "))
        }
        if !dashboard.correlated.isEmpty {
            parts.append("active together with " + dashboard.correlated.map(related).joined(separator: "   "))
        }
        return parts.joined(separator: "\n\n")
    }

    private var head: String {
        let density = Format.probability(dashboard.density)
        let name = dashboard.label ?? dashboard.words.map { "\($0) (automatic)" }
        let title = "feature \(dashboard.feature)" + (name.map { "  \(Printable.line($0))" } ?? "")
        guard dashboard.tokens > 0 else {
            return title + "\nno index yet. To create one, run: orrery feature index"
        }
        return title
            + "\nactive on \(Format.count(dashboard.count)) of \(Format.count(dashboard.tokens)) tokens "
            + "(\(density)), maximum \(Format.fixed(Double(dashboard.maximum), digits: 2)), mean "
            + Format.fixed(Double(dashboard.mean), digits: 2)
    }

    private func token(_ logit: TokenLogit) -> String {
        Printable.line(logit.text ?? logit.token.map(text) ?? "?") + " \(Format.fixed(Double(logit.value), digits: 2))"
    }

    private func related(_ other: RelatedFeature) -> String {
        "\(other.feature) \(Format.fixed(Double(other.value), digits: 2))"
            + (other.label.map { " " + Printable.line($0) } ?? "")
    }

    /// Returns an example; the strongest token is in «» marks.
    private func line(_ example: FeatureExample) -> String {
        let texts = example.texts.isEmpty ? example.tokens.map(text) : example.texts
        let marked = texts.enumerated().map { place, text in place == example.peak ? "«\(text)»" : text }.joined()
        let joined = marked.replacing("Ġ", with: " ").replacing("Ċ", with: "⏎")
        return
            "\(Format.fixed(Double(example.value), digits: 2).padded(to: 7, atBeginning: true))  "
            + "\(Printable.line(joined))"
    }
}
