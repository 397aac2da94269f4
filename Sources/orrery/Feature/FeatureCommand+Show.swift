import ArgumentParser
import Console
import FeatureLab
import Interpretability
import JSON
import Models
import Tokenizers

extension FeatureCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one feature: what it fires on, how often, how strongly, and what it makes the model say.",
            discussion: "Without a feature: the dictionary's features in an order.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "The feature; none lists them.")
        var feature: Int?

        @Option(help: "Sort order: meaning, density, maximum, label, or feature.")
        var by = "meaning"

        @Option(name: [.customShort("n"), .long], help: "Rows of the list.")
        var limit = 20

        @Option(help: "Examples of the feature.")
        var examples = 10

        @Option(help: "The model's name or file, for the texts of tokens, where it is not known.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard FeatureOrder(rawValue: by) != nil else {
                throw ValidationError("--by takes meaning, density, maximum, label, or feature.")
            }
            guard (1...100_000).contains(limit), (0...100).contains(examples) else {
                throw ValidationError("--limit takes 1 to 100000, --examples 0 to 100.")
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

        /// Texts of tokens where the model is at hand, else their numbers.
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
            abstract: "Find features by a token that they fire on, by the words of their labels, or by a text.",
            discussion: """
                --token lists features whose examples fire on a token, as it is typed and with a space before it; --label those whose label has the words; --prompt \
                those that are active on a text, by activation, by their share of the feature's largest (share), or by how \
                rare they are (rarity).
                """)

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "A token, by its text or number.")
        var token: String?

        @Option(help: "Words of a label.")
        var label: String?

        @Option(name: .shortAndLong, help: "A text; - reads standard input.")
        var prompt: String?

        @Option(help: "activation, share or rarity: the order of --prompt.")
        var by = "activation"

        @Option(name: [.customShort("n"), .long], help: "Features that are listed.")
        var limit = 20

        @Option(help: "The model's name or file, where it is not known.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard [token, label, prompt].compactMap(\.self).count == 1 else {
                throw ValidationError("name one of --token, --label and --prompt.")
            }
            guard PromptRank(rawValue: by) != nil else {
                throw ValidationError("--by takes activation, share or rarity.")
            }
            guard (1...100_000).contains(limit) else { throw ValidationError("--limit takes 1 to 100000.") }
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
                rows.notes.append("beyond: it never fired on the indexed texts; these come last, by activation")
            }
            return rows
        }
    }
}

/// A feature's dashboard as text.
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
            parts.append("likelier   " + dashboard.positive.map(token).joined(separator: "  "))
            parts.append("unlikelier " + dashboard.negative.map(token).joined(separator: "  "))
        }
        let shown = dashboard.top.prefix(examples)
        if !shown.isEmpty { parts.append(shown.map(line).joined(separator: "\n")) }
        if !dashboard.neighbors.isEmpty {
            parts.append("nearest directions  " + dashboard.neighbors.map(related).joined(separator: "   "))
        }
        if !dashboard.correlated.isEmpty {
            parts.append("fires together with " + dashboard.correlated.map(related).joined(separator: "   "))
        }
        return parts.joined(separator: "\n\n")
    }

    private var head: String {
        let density = Format.probability(dashboard.density)
        let name = dashboard.label ?? dashboard.words.map { "\($0) (automatic)" }
        let title = "feature \(dashboard.feature)" + (name.map { "  \(Printable.line($0))" } ?? "")
        guard dashboard.tokens > 0 else {
            return title + "\nno index yet: orrery feature index finds what it fires on"
        }
        return title
            + "\nfires on \(Format.count(dashboard.count)) of \(Format.count(dashboard.tokens)) tokens (\(density)), at most "
            + "\(Format.fixed(Double(dashboard.maximum), digits: 2)), on average "
            + Format.fixed(Double(dashboard.mean), digits: 2)
    }

    private func token(_ logit: TokenLogit) -> String {
        Printable.line(logit.text ?? logit.token.map(text) ?? "?") + " \(Format.fixed(Double(logit.value), digits: 2))"
    }

    private func related(_ other: RelatedFeature) -> String {
        "\(other.feature) \(Format.fixed(Double(other.value), digits: 2))"
            + (other.label.map { " " + Printable.line($0) } ?? "")
    }

    /// The strongest token stands in marks.
    private func line(_ example: FeatureExample) -> String {
        let texts = example.texts.isEmpty ? example.tokens.map(text) : example.texts
        let marked = texts.enumerated().map { place, text in place == example.peak ? "«\(text)»" : text }.joined()
        let joined = marked.replacing("Ġ", with: " ").replacing("Ċ", with: "⏎")
        return
            "\(Format.fixed(Double(example.value), digits: 2).padded(to: 7, atBeginning: true))  \(Printable.line(joined))"
    }
}
