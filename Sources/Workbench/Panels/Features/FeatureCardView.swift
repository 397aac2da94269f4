internal import Console
internal import FeatureLab
internal import Formatting
internal import Glibc

/// Draws a feature's dashboard: figures, histogram and logits above, examples shaded token by token below.
struct FeatureCardView: Sendable {
    var list = ListView()

    /// Returns the areas of the figures and of the examples below them.
    static func parts(of area: Rect) -> (head: Rect, examples: Rect) {
        var rest = area
        let head = rest.takeTop(area.rows >= 18 ? 9 : area.rows >= 10 ? 4 : 0)
        return (head, rest)
    }

    /// - Parameter dictionary: Name of the dictionary, for the command that indexes it.
    func draw(
        _ card: FeatureCard, of dictionary: String, into surface: inout Surface, in area: Rect, theme: Theme,
        isFocused: Bool
    ) {
        let parts = Self.parts(of: area)
        drawHead(card, of: dictionary, into: &surface, in: parts.head, theme: theme)
        drawExamples(card, into: &surface, in: parts.examples, theme: theme, isFocused: isFocused)
    }

    // MARK: Head

    private func drawHead(
        _ card: FeatureCard, of dictionary: String, into surface: inout Surface, in area: Rect, theme: Theme
    ) {
        guard area.rows >= 4 else { return }
        var rest = area
        let figures = rest.takeTop(1)
        surface.put(
            card.isIndexed
                ? card.figures : "not indexed: orrery feature index \(dictionary) --texts FILE", at: figures.origin,
            style: theme[card.isIndexed ? .text : .dim], width: figures.columns)
        guard rest.rows > 3 else { return drawLogits(card, into: &surface, in: rest, theme: theme) }
        _ = rest.takeTop(1)
        var body = rest.takeTop(rest.rows - 1)
        if card.dashboard.histogram.counts.contains(where: { $0 > 0 }) {
            drawHistogram(
                card, into: &surface, in: body.takeLeft(min(40, body.columns * 2 / 5)), theme: theme)
            _ = body.takeLeft(2)
        }
        drawLogits(card, into: &surface, in: body, theme: theme)
    }

    private func drawHistogram(_ card: FeatureCard, into surface: inout Surface, in area: Rect, theme: Theme) {
        let histogram = card.dashboard.histogram
        guard area.rows >= 3, area.columns >= 12, let most = histogram.counts.max(), most > 0 else { return }
        var rest = area
        let title = rest.takeTop(1)
        surface.put("activations, log count", at: title.origin, style: theme[.dim], width: title.columns)
        let axis = rest.takeBottom(1)
        let bins = min(histogram.counts.count, rest.columns)
        let steps = Double(rest.rows * theme.glyphs.columns.count)
        let heights = histogram.counts.map {
            $0 > 0 ? (log1p(Double($0)) / log1p(Double(most)) * steps).rounded(.up) : .nan
        }
        Sparkline(heights, range: 0...steps).draw(into: &surface, in: rest, style: theme[.series1], theme: theme)
        surface.put("0", at: axis.origin, style: theme[.dim])
        let end = Format.fixed(Double(card.dashboard.maximum), digits: 2)
        surface.put(
            end, at: Point(column: max(axis.column, axis.column + bins - DisplayWidth.of(end)), row: axis.row),
            style: theme[.dim])
    }

    private func drawLogits(_ card: FeatureCard, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows >= 2 else { return }
        var rest = area
        let lines: [(String, [String], Role)] = [
            ("promotes", card.dashboard.positive.map(FeatureCard.token), .success),
            ("suppresses", card.dashboard.negative.map(FeatureCard.token), .failure),
            ("nearest", card.dashboard.neighbors.map(Self.related), .dim),
            ("correlated", card.dashboard.correlated.map(Self.related), .dim),
        ]
        for (title, words, role) in lines where rest.rows > 0 && !words.isEmpty {
            var line = rest.takeTop(1)
            surface.put(title, at: line.takeLeft(12).origin, style: theme[.dim])
            for word in words {
                let columns = DisplayWidth.of(word)
                guard columns <= line.columns else { break }
                surface.put(word, at: line.takeLeft(columns).origin, style: theme[role], width: columns)
                _ = line.takeLeft(min(2, line.columns))
            }
        }
    }

    private static func related(_ other: RelatedFeature) -> String {
        "\(other.feature) \(Format.fixed(Double(other.value), digits: 2))" + (other.label.map { " \($0)" } ?? "")
    }

    // MARK: Examples

    private func drawExamples(
        _ card: FeatureCard, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool
    ) {
        let lines = card.lines
        let palette = HeatPalette(theme)
        let scale = HeatScale.sequential(max: card.dashboard.maximum)
        for (row, index) in list.visible.enumerated() where lines.indices.contains(index) {
            var line = Rect(column: area.column, row: area.row + row, columns: area.columns, rows: 1)
            switch lines[index] {
            case .title(let section):
                surface.put(card.sections[section].title, at: line.origin, style: theme[.dim], width: line.columns)
            case .example(let section, let place):
                let example = card.sections[section].examples[place]
                let number = line.takeLeft(8)
                surface.put(
                    Format.fixed(Double(example.value), digits: 2), at: number.origin,
                    style: theme[index == list.selection && isFocused ? .selection : .text], width: 7, aligned: .right)
                draw(example, into: &surface, in: line, palette: palette, scale: scale, theme: theme)
            }
        }
    }

    /// Draws an example in one line, with the strongest token slightly to the right of the middle.
    private func draw(
        _ example: FeatureCard.Example, into surface: inout Surface, in area: Rect, palette: HeatPalette,
        scale: HeatScale, theme: Theme
    ) {
        let texts = example.texts.map(ShadedTokens.visible)
        let widths = texts.map { DisplayWidth.of($0) }
        guard example.peak < texts.count else { return }
        var start = example.peak
        var before = 0
        while start > 0, before + widths[start - 1] <= area.columns * 3 / 5 {
            start -= 1
            before += widths[start]
        }
        var column = area.column
        for token in start..<texts.count {
            guard column < area.endColumn else { break }
            let value = example.values.indices.contains(token) ? example.values[token] : .nan
            var style = palette.textStyle(of: value, on: scale, theme: theme)
            if token == example.peak { style = style.adding(.underline) }
            surface.put(
                texts[token], at: Point(column: column, row: area.row), style: style, width: area.endColumn - column)
            column += widths[token]
        }
    }
}
