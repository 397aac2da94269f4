internal import Console
internal import Formatting
internal import Traces

/// The context of a step: a bar by kind whose parts add up to the billed tokens, each part with its tokens and share,
/// and the growth of the context from step to step.
struct ContextView {
    let breakdown: ContextBreakdown
    let run: OpenRun
    /// The largest messages of the context, largest first.
    let largest: [StepReading.LargeMessage]

    func draw(into surface: inout Surface, in inside: Rect, theme: Theme) {
        if inside.rows < parts.count + 2 {
            drawOneBar(into: &surface, in: inside, theme: theme)
        } else {
            drawBars(into: &surface, in: inside, theme: theme)
        }
    }

    /// The nonempty parts, in the order of the bars.
    private var parts: [ContextBreakdown.Part] { ContextBreakdown.Part.allCases.filter { breakdown[$0] > 0 } }

    private func drawOneBar(into surface: inout Surface, in area: Rect, theme: Theme) {
        // On a single line of names, leave out parts below a hundredth of the whole.
        let large = parts.filter { breakdown[$0] * 100 >= breakdown.total }
        let bar = StackedBar(
            large.map { part in
                .init(part.title, Double(breakdown[part]), text: Format.compact(breakdown[part]), role: part.role)
            })
        var rest = area
        bar.draw(into: &surface, in: rest.takeTop(1), theme: theme)
        bar.drawLegend(into: &surface, in: rest, theme: theme)
    }

    private func drawBars(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        StackedBar(parts.map { .init($0.title, Double(breakdown[$0]), role: $0.role) })
            .draw(into: &surface, in: rest.takeTop(1), theme: theme)
        if rest.rows > parts.count + 6 { _ = rest.takeTop(1) }
        for part in parts { draw(part, into: &surface, in: rest.takeTop(1), theme: theme) }
        let note = ProseLines.of(breakdown.note, .dim, columns: rest.columns)
        if rest.rows > note.count {
            var place = rest.takeBottom(note.count)
            for line in note { surface.put(line, at: place.takeTop(1).origin, theme: theme, width: rest.columns) }
            _ = rest.takeBottom(1)
        }
        if run.replay.count > 1, rest.rows >= 5 {
            _ = rest.takeTop(1)
            let rows = rest.rows <= Self.chartRows + 4 ? rest.rows : Self.chartRows
            ContextHistory(run: run, shown: breakdown).draw(into: &surface, in: rest.takeTop(rows), theme: theme)
        }
        guard !largest.isEmpty, rest.rows >= 4 else { return }
        _ = rest.takeTop(1)
        drawLargest(into: &surface, in: rest, theme: theme)
    }

    /// Rows of the chart of all steps, if there is also room for the largest messages.
    private static let chartRows = 14

    private func drawLargest(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        surface.put("largest messages", at: rest.takeTop(1).origin, style: theme[.heading], width: area.columns)
        for message in largest where rest.rows > 0 {
            var row = rest.takeTop(1)
            surface.put(Format.bytes(message.bytes), .text, in: row.takeLeft(8), theme: theme, aligned: .right)
            _ = row.takeLeft(2)
            surface.put(message.place, .dim, in: row.takeLeft(9), theme: theme)
            _ = row.takeLeft(1)
            surface.put(message.title, message.part.role, in: row, theme: theme)
        }
    }

    private func draw(_ part: ContextBreakdown.Part, into surface: inout Surface, in row: Rect, theme: Theme) {
        var rest = row
        let share = Format.percent(breakdown[part], of: breakdown.total)
        surface.put(part.title, .text, in: rest.takeLeft(15), theme: theme)
        surface.put(Format.compact(breakdown[part]), .text, in: rest.takeLeft(7), theme: theme, aligned: .right)
        surface.put(share, .dim, in: rest.takeLeft(8), theme: theme, aligned: .right)
        _ = rest.takeLeft(2)
        guard !rest.isEmpty, breakdown.total > 0 else { return }
        surface.putBar(
            from: 0, to: Double(rest.columns) * Double(breakdown[part]) / Double(breakdown.total), in: rest,
            style: theme[part.role], shape: .airy, glyphs: theme.glyphs)
    }
}

/// The context of every step as columns of its parts, with the cursor below.
struct ContextHistory {
    var run: OpenRun
    /// The breakdown of the step under the cursor, as the pane above shows it.
    var shown: ContextBreakdown

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        let count = run.contextTokens.count
        guard area.rows >= 4, area.columns >= 8, count > 0 else { return }
        let most = max(shown.total, run.contextTokens.max() ?? 0)
        guard most > 0 else { return }
        var chart = area
        let head = chart.takeTop(1)
        let axis = chart.takeBottom(1)
        // Short runs use several columns per step, long ones several steps per column.
        let width = max(1, min(6, chart.columns / count))
        let columns = min(chart.columns / width, count)
        let title = surface.put("tokens per step", at: head.origin, style: theme[.dim], width: head.columns)
        let peak = "max \(Format.compact(most))"
        if title + 2 + peak.count <= head.columns {
            surface.put(
                peak, at: Point(column: head.endColumn - peak.count, row: head.row), style: theme[.dim])
        }
        for place in 0..<columns {
            guard let breakdown = breakdown(at: place, of: columns) else { continue }
            let column = Rect(
                column: chart.column + place * width, row: chart.row, columns: width > 2 ? width - 1 : width,
                rows: chart.rows)
            draw(breakdown, most: most, into: &surface, in: column, theme: theme)
        }
        drawAxis(columns: columns, width: width, into: &surface, in: axis, theme: theme)
    }

    /// Returns the breakdown of a column: its step with the largest context, or the step under the cursor.
    private func breakdown(at column: Int, of columns: Int) -> ContextBreakdown? {
        let count = run.contextTokens.count
        let first = column * count / columns
        let steps = first..<max(first + 1, (column + 1) * count / columns)
        if let step = run.step, steps.contains(step) { return shown }
        guard let step = steps.max(by: { run.contextTokens[$0] < run.contextTokens[$1] }) else { return nil }
        return run.replay.breakdown(at: step)
    }

    /// Draws a column from the bottom, to an eighth of a cell; each cell has the color of the part at its middle.
    private func draw(
        _ breakdown: ContextBreakdown, most: Int, into surface: inout Surface, in area: Rect, theme: Theme
    ) {
        let glyphs = theme.glyphs.columns
        let height = Double(breakdown.total) / Double(most) * Double(area.rows)
        let levels = max(1, Int((height * Double(glyphs.count)).rounded()))
        let parts = ContextBreakdown.Part.allCases.reversed().filter { breakdown[$0] > 0 }
        for row in 0..<area.rows where levels > row * glyphs.count {
            let filled = min(glyphs.count, levels - row * glyphs.count)
            let middle = (Double(row) + Double(filled) / Double(glyphs.count) / 2) / max(height, 1e-9)
            var sum = 0
            let part =
                parts.first { part in
                    sum += breakdown[part]
                    return Double(sum) >= middle * Double(breakdown.total)
                } ?? parts.last
            let cells = Rect(column: area.column, row: area.endRow - 1 - row, columns: area.columns, rows: 1)
            surface.fill(cells, with: glyphs[filled - 1], style: theme[part?.role ?? .text])
        }
    }

    private func drawAxis(columns: Int, width: Int, into surface: inout Surface, in axis: Rect, theme: Theme) {
        let count = run.contextTokens.count
        let last = Format.count(count)
        surface.put("1", at: axis.origin, style: theme[.dim])
        let end = axis.column + columns * width
        surface.put(
            last, at: Point(column: max(axis.column + 2, end - last.count), row: axis.row), style: theme[.dim])
        guard let step = run.step else { return }
        let place = min(columns - 1, step * columns / count)
        let column = axis.column + place * width + (width > 2 ? width / 2 - 1 : 0)
        surface.put(theme.glyphs.ascending, at: Point(column: column, row: axis.row), style: theme[.accent])
    }
}

extension Surface {
    /// Draws a text into a row; an aligned text fills the row with its style.
    fileprivate mutating func put(
        _ text: String, _ role: Role, in row: Rect, theme: Theme, aligned alignment: Alignment? = nil
    ) {
        if let alignment {
            put(text, at: row.origin, style: theme[role], width: row.columns, aligned: alignment)
        } else {
            put(text, at: row.origin, style: theme[role], width: row.columns)
        }
    }
}

extension ContextBreakdown.Part {
    var role: Role {
        switch self {
        case .system: .series3
        case .tools: .series6
        case .user: .series5
        case .model: .series1
        case .reasoning: .series7
        case .results: .series2
        case .notInLog: .shade
        }
    }
}
