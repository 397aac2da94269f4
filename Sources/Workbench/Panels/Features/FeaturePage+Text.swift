internal import Console
internal import Formatting
internal import Interpretability
internal import Presentation

/// The pane of the text.
extension FeaturePage {
    /// Returns the rows of the texts; one row below them has their divergence.
    static func textRows(_ inside: Rect) -> Int { max(1, inside.rows - 1) }

    mutating func moveText(_ motion: Motion) {
        text.move { tokens in
            switch motion {
            case .rows(let rows): tokens.moveRows(by: rows)
            case .pages(let pages): tokens.scroll(by: 10 * pages)
            case .start: tokens.moveToStart()
            case .end: tokens.moveToEnd()
            case .columns: break
            }
        }
    }

    mutating func pressText(at point: Point, in inside: Rect) {
        let areas = textAreas(inside)
        for (isChanged, tokens, area) in [
            (false, text.untouched, areas.untouched), (true, text.changed, areas.changed),
        ] {
            guard let token = area.flatMap({ tokens.token(at: point, in: $0) }) else { continue }
            if text.isInChanged != isChanged { text.turn() }
            text.move { $0.moveCursor(to: token) }
        }
    }

    /// Returns the areas of the texts: side by side, or stacked in a narrow pane.
    private func textAreas(_ inside: Rect) -> (untouched: Rect?, changed: Rect?) {
        var rest = inside
        rest.rows = Self.textRows(inside)
        guard text.hasChanged else { return (rest, nil) }
        if SteeredText.isBeside(inside.columns) {
            let left = rest.takeLeft((inside.columns - 3) / 2)
            _ = rest.takeLeft(3)
            return (left, rest)
        }
        let top = rest.takeTop(text.untouched.height)
        _ = rest.takeTop(1)
        return (top, rest)
    }

    func drawText(into surface: inout Surface, in inside: Rect, theme: Theme) {
        guard let reading = text.reading else {
            let prompt = text.prompt.text
            let line =
                text.prompt.isEmpty
                ? "p  enters a text to show its features token by token" : ShadedTokens.visible(prompt)
            let lines = fault.map { StyledLine($0, .failure).wrapped(to: max(1, inside.columns)) }
            return surface.put(lines ?? [StyledLine(line, .dim)], in: inside, theme: theme)
        }
        let areas = textAreas(inside)
        let isFocused = screen.focus == .text
        if let area = areas.untouched {
            text.untouched.draw(into: &surface, in: area, theme: theme, isFocused: isFocused && !text.isInChanged)
        }
        if let left = areas.untouched, let right = areas.changed {
            text.changed.draw(into: &surface, in: right, theme: theme, isFocused: isFocused && text.isInChanged)
            drawDivider(between: left, right, into: &surface, theme: theme)
        }
        drawFoot(reading, into: &surface, in: inside, theme: theme)
    }

    private func drawDivider(between left: Rect, _ right: Rect, into surface: inout Surface, theme: Theme) {
        if right.row == left.row {
            surface.verticalLine(
                column: right.column - 2, rows: right.row..<right.endRow, style: theme[.faint], glyphs: theme.glyphs)
        } else {
            surface.horizontalLine(
                row: right.row - 1, columns: right.column..<right.endColumn, style: theme[.faint], glyphs: theme.glyphs)
        }
    }

    /// Draws the divergence of the changed text, token by token; without a changed text, what shades the tokens.
    private func drawFoot(_ reading: SteeringReading, into surface: inout Surface, in inside: Rect, theme: Theme) {
        guard inside.rows > 2 else { return }
        var line = inside
        line = line.takeBottom(1)
        func put(_ text: String, _ role: Role) {
            surface.put(text, at: line.origin, style: theme[role], width: line.columns)
        }
        if let fault { return put(fault, .failure) }
        guard reading.changed != nil else {
            if inside.rows > 6, text.prompt.text == SampleTexts.features.text {
                let lines = ProseLines.of(SampleTexts.features.note, .dim, columns: line.columns)
                let rows = min(lines.count, max(1, inside.rows - text.untouched.rowCount - 2))
                let note = Rect(column: line.column, row: line.row - rows, columns: line.columns, rows: rows)
                surface.put(lines, in: note, theme: theme)
            }
            if let card { put("shaded by feature \(card.feature)\(card.name.map { ", \($0)" } ?? "")", .dim) }
            return
        }
        if let silence = text.silence { return put(silence, .warning) }
        let parts = reading.firstDifference.map { ", diverging at token \($0)" } ?? ", same text so far"
        let words = "KL \(Format.fixed(reading.meanDivergence, digits: 3)) nats/token\(parts)  "
        surface.put(words, at: line.takeLeft(min(line.columns, DisplayWidth.of(words))).origin, style: theme[.dim])
        Sparkline(reading.divergences.map(Double.init), range: 0...max(1e-9, Double(reading.divergences.max() ?? 0)))
            .draw(into: &surface, in: line, style: theme[.series2], theme: theme)
    }
}
