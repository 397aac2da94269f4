internal import Formatting

/// What a small model can do, measured on what its recipe holds out.
public struct ModelCard: Sendable {
    public var name: String
    /// Number of parameters; `nil` if unknown.
    public var parameters: Int?
    public var figures: EvaluationSet.Figures
    private let recipe: SyntheticRecipe

    public init(name: String, parameters: Int?, recipe: SyntheticRecipe, figures: EvaluationSet.Figures) {
        self.name = name
        self.parameters = parameters
        self.recipe = recipe
        self.figures = figures
    }

    public var markdown: String {
        var text = "# \(name): model card\n\n"
        text += "A small language model trained on synthetic text"
        text += (parameters.map { ", with \(Format.count($0)) parameters" } ?? "") + ". "
        text += "`orrery train data` generates its corpus from the recipe \(recipe.name), version \(recipe.version), "
        text += "seed \(recipe.seed): short stories about a small world, questions about documents in the prompt, and "
        text += "tool use in the ReAct form. The model knows nothing about the real world and uses only the language "
        text += "of its grammar.\n\n"
        text += "## Held-out results\n\n"
        text += "All names and calculations below are from the held-out region (one in \(recipe.region.oneIn), "
        text += "by hash) and do not occur in the training set. Greedy decoding; 95 % Wilson intervals.\n\n"
        text += "| measure | result | interval | questions |\n|---|---:|---:|---:|\n"
        if let perplexity = figures.storyPerplexity {
            text += "| story perplexity, per token | \(Format.fixed(perplexity, digits: 3)) | | "
            text += "\(Format.count(figures.storyTokens)) tokens |\n"
        }
        text += row("exact answers about unseen names", figures.reading)
        text += row("old answers after the document is replaced (lower is better)", figures.recalled)
        text += row("new answers after the document is replaced", figures.reread)
        text += row("tool episodes solved with real tools", figures.episodes)
        text += row("of these, unseen calculations", figures.arithmetic)
        text += "\n## Episodes by kind\n\n| kind | solved | interval | episodes |\n|---|---:|---:|---:|\n"
        for kind in Episode.Kind.allCases {
            if let proportion = figures.byKind[kind] { text += row(kind.rawValue, proportion) }
        }
        if !figures.misses.isEmpty {
            text += "\n## Examples of errors\n"
            for miss in figures.misses.prefix(8) {
                text += "\n\(miss.part), expected `\(miss.expected)`:\n\n```text\n\(miss.prompt)\(miss.got)\n```\n"
            }
        }
        return text
    }

    private func row(_ name: String, _ proportion: Proportion) -> String {
        guard proportion.count > 0 else { return "| \(name) | not measured | | 0 |\n" }
        let interval = proportion.interval()
        return
            "| \(name) | \(Format.percent(proportion.value, digits: 1)) | \(Format.percent(interval.lowerBound, digits: 1)) to "
            + "\(Format.percent(interval.upperBound, digits: 1)) | \(proportion.count) |\n"
    }
}
