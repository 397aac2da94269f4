internal import FeatureLab
internal import Formatting
internal import Interpretability

extension FeaturePage {
    /// Returns the formulas of a pane, and the checks of its sums.
    func sums(of pane: PaneName) -> SumLines {
        switch pane {
        case .list: listSums
        case .card: cardSums
        case .text: textSums
        case .active: activeSums
        case .map, .parts, .cell: circuit.sums(of: pane)
        }
    }

    private var listSums: SumLines {
        var sums = SumLines()
        sums.formula("density = tokens with f > 0 / tokens in the index; max = largest f in the index")
        switch list.shown {
        case .all:
            guard let dictionary, let index = dictionary.index, list.rows.count == dictionary.featureCount else {
                break
            }
            // Σ of densities is the mean number of active features.
            let firings = list.rows.reduce(0) { $0 + ($1.count ?? 0) }
            sums.formula(
                "Σ density = \(Format.fixed(Double(firings) / Double(max(1, index.counted)), digits: 2)) active per token"
                    + (dictionary.meanActive.map { ", L0 in training \(Format.fixed($0, digits: 2))" } ?? ""))
        case .token:
            sums.formula("score = share of the activation in the feature's examples that falls on the token, 0 to 1")
        case .label: sums.formula("for each search word, the label contains that word or one that starts with it")
        case .active(.activation): sums.formula("score = largest f in the text")
        case .active(.share):
            sums.formula("score = largest f in the text / max; beyond: never fired in the indexed texts")
        case .active(.rarity): sums.formula("score = largest f in the text · −log₂ density")
        }
        return sums
    }

    private var cardSums: SumLines {
        var sums = SumLines()
        sums.formula("f = activation((x − b_dec) W_enc + b_enc), x̂ = f W_dec + b_dec")
        sums.formula(
            "promotes, suppresses: W_dec[f] · W_U through the final norm's gain, minus its mean over the tokens")
        sums.formula("nearest: cosine of decoder rows; correlated: Pearson's r of activations")
        guard let dashboard = card?.dashboard, dashboard.tokens > 0 else { return sums }
        sums.check("Σ histogram", dashboard.histogram.counts.reduce(0, +), of: dashboard.count)
        sums.check(
            "\(Format.count(dashboard.count)) / \(Format.count(dashboard.tokens)) tokens",
            Double(dashboard.count) / Double(dashboard.tokens), of: dashboard.density, scale: 0, tolerance: 1e-6,
            digits: 6)
        if !dashboard.groups.isEmpty {
            sums.check("Σ shares of the groups", dashboard.groups.reduce(0) { $0 + $1.share }, of: 1)
        }
        return sums
    }

    private var textSums: SumLines {
        var sums = SumLines()
        if let card { sums.formula("shade = f\(card.feature) of the token, 0 to the maximum of both texts") }
        guard let reading = text.reading, reading.changed != nil else { return sums }
        sums.formula("changed: h += (target − f) W_dec[f] at \(dictionary?.hook ?? "the hook")")
        sums.formula("KL = Σ_v p(v) (log p(v) − log q(v)): p original, q changed model, on the changed text; nats")
        guard let changed = reading.changed, !reading.divergences.isEmpty else { return sums }
        sums.check("tokens with a KL", reading.divergences.count, of: changed.readCount - reading.from)
        let total = reading.divergences.reduce(0) { $0 + Double($1) }
        sums.formula(
            "Σ KL = \(Format.fixed(total, digits: 4)) over \(reading.divergences.count) tokens, mean "
                + Format.fixed(reading.meanDivergence, digits: 4))
        let least = Double(reading.divergences.min() ?? 0)
        sums.check("most negative KL", min(0, least), of: 0, tolerance: 1e-4, digits: 6)
        return sums
    }

    private var activeSums: SumLines {
        var sums = SumLines()
        sums.formula("f = activation((x − b_dec) W_enc + b_enc); a full bar is the largest f in the text")
        guard let codes = text.side?.features, text.cursor < codes.rows else { return sums }
        sums.check(
            "active at token \(text.cursor)", active.rows.count, of: codes[text.cursor].reduce(0) { n, _ in n + 1 })
        sums.check(
            "Σ f", active.total, of: codes[text.cursor].reduce(0) { $0 + Double($1.1) }, tolerance: 1e-5)
        return sums
    }
}
