internal import Console
package import FeatureLab
internal import Formatting
internal import Interpretability

/// One feature's dashboard, with the texts of its tokens.
package struct FeatureCard: Sendable {
    let dashboard: FeatureDashboard
    /// Examples by group, the strongest first.
    let sections: [Section]
    /// Rows of the list of examples.
    let lines: [Line]

    /// A group of examples: the strongest, or a range of activations.
    struct Section: Sendable {
        var title: String
        var examples: [Example]
    }

    struct Example: Sendable {
        var texts: [String]
        var values: [Float]
        var peak: Int
        var value: Float
        var position: Int?
    }

    var feature: Int { dashboard.feature }
    var label: String? { dashboard.label }
    /// The description of the feature: its label, or the automatic one.
    var name: String? { dashboard.label ?? dashboard.words }
    /// Whether activations are known, from indexed texts or from a file of another program.
    var isIndexed: Bool { dashboard.tokens > 0 || !sections.isEmpty }

    package init(_ dashboard: FeatureDashboard, text: (Int32) -> String) {
        var dashboard = dashboard
        func named(_ logit: TokenLogit) -> TokenLogit {
            TokenLogit(token: logit.token, text: logit.text ?? logit.token.map(text), value: logit.value)
        }
        dashboard.positive = dashboard.positive.map(named)
        dashboard.negative = dashboard.negative.map(named)
        self.dashboard = dashboard
        func examples(_ all: [FeatureExample]) -> [Example] {
            all.map { example in
                Example(
                    texts: example.texts.isEmpty ? example.tokens.map(text) : example.texts, values: example.values,
                    peak: example.peak, value: example.value, position: example.position)
            }
        }
        var sections = [Section(title: "strongest", examples: examples(dashboard.top))]
        for group in dashboard.groups where !group.examples.isEmpty {
            let (low, high) = (group.range.lowerBound, group.range.upperBound)
            sections.append(
                Section(
                    title: "\(Format.fixed(Double(low), digits: 2)) to \(Format.fixed(Double(high), digits: 2)), "
                        + "\(Format.probability(group.share)) of its tokens", examples: examples(group.examples)))
        }
        let filled = sections.filter { !$0.examples.isEmpty }
        self.sections = filled
        lines = filled.indices.flatMap { section in
            [Line.title(section)] + filled[section].examples.indices.map { .example(section: section, index: $0) }
        }
    }

    /// Returns the example in a row of the list; `nil` for a title.
    func example(at row: Int) -> Example? {
        guard lines.indices.contains(row), case .example(let section, let index) = lines[row] else { return nil }
        return sections[section].examples[index]
    }

    /// A row of the list of examples.
    enum Line: Hashable, Sendable {
        case title(Int)
        case example(section: Int, index: Int)
    }

    /// The whole dashboard as Markdown.
    var markdown: String {
        var lines = ["## Feature \(feature)" + (label.map { ": \($0)" } ?? ""), "", figures, ""]
        for (name, logits) in [("promotes", dashboard.positive), ("suppresses", dashboard.negative)]
        where !logits.isEmpty {
            lines.append("- \(name): " + logits.map(Self.token).joined(separator: ", "))
        }
        for section in sections {
            lines += ["", section.title, ""]
            lines += section.examples.map { example in
                let text = example.texts.enumerated().map { $0 == example.peak ? "**\($1)**" : $1 }.joined()
                return
                    "- \(Format.fixed(Double(example.value), digits: 2))  \(Escape.printable(text.replacing("\n", with: "↵")))"
            }
        }
        return lines.joined(separator: "\n")
    }

    var figures: String {
        "\(Format.count(dashboard.count, of: dashboard.tokens)) tokens "
            + "(\(Format.probability(dashboard.density))), at most \(Format.fixed(Double(dashboard.maximum), digits: 2)), "
            + "mean \(Format.fixed(Double(dashboard.mean), digits: 2))"
    }

    static func token(_ logit: TokenLogit) -> String {
        "\(ShadedTokens.visible(Escape.printable(logit.text ?? "", keepingLines: true)).trimmed) \(Format.fixed(Double(logit.value), digits: 2))"
    }
}
