internal import Console
internal import Traces

/// How the context of a step was filled: a bar by kind whose parts add up to what was billed.
struct ContextView {
    var breakdown: ContextBreakdown?
    var step: Int?
    var history: Replay?

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(title, isFocused: isFocused)
        guard let breakdown else {
            let inside = frame.draw(into: &surface, in: area, theme: theme)
            if inside.rows > 1 {
                surface.put(
                    "no model call leads to this step", at: Point(column: inside.column + 1, row: inside.row),
                    style: theme[.dim], width: inside.columns - 2)
            }
            return
        }
        frame.count = FrameLabel("\(Format.count(breakdown.total)) tokens")
        frame.details = [FrameLabel(breakdown.billed == nil ? "estimated" : "billed", role: .dim)]
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        if inside.rows < ContextBreakdown.Part.allCases.count + 1 {
            drawOneBar(breakdown, into: &surface, in: inside, theme: theme)
        } else {
            drawBars(breakdown, into: &surface, in: inside, theme: theme)
        }
    }

    private var title: FrameLabel { step.map { "Context at step \(Format.count($0 + 1))" } ?? "Context" }

    private func parts(_ breakdown: ContextBreakdown) -> [ContextBreakdown.Part] {
        ContextBreakdown.Part.allCases.filter { breakdown[$0] > 0 }
    }

    private func drawOneBar(_ breakdown: ContextBreakdown, into surface: inout Surface, in area: Rect, theme: Theme) {
        // Where there is one line for the names, parts below a hundredth of the whole go without.
        let large = parts(breakdown).filter { breakdown[$0] * 100 >= breakdown.total }
        let bar = StackedBar(
            large.map { part in
                .init(part.title, Double(breakdown[part]), text: Format.compact(breakdown[part]), role: part.role)
            })
        var rest = area
        bar.draw(into: &surface, in: rest.takeTop(1), theme: theme)
        bar.drawLegend(into: &surface, in: rest, theme: theme)
    }

    private func drawBars(_ breakdown: ContextBreakdown, into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        let bar = StackedBar(parts(breakdown).map { .init($0.title, Double(breakdown[$0]), role: $0.role) })
        let spaced = area.rows >= 11
        bar.draw(into: &surface, in: rest.takeTop(1), theme: theme)
        if spaced { _ = rest.takeTop(1) }
        let most = ContextBreakdown.Part.allCases.map { breakdown[$0] }.max() ?? 1
        for part in ContextBreakdown.Part.allCases where rest.rows > 1 {
            let row = rest.takeTop(1)
            draw(part, breakdown[part], most: most, into: &surface, in: row, theme: theme)
        }
        if spaced { _ = rest.takeTop(1) }
        var note = TextView([TextSection(breakdown.note, role: .dim)])
        note.layout(rest.size)
        note.draw(into: &surface, in: rest, theme: theme)
    }

    private func draw(
        _ part: ContextBreakdown.Part, _ tokens: Int, most: Int, into surface: inout Surface, in row: Rect, theme: Theme
    ) {
        var rest = row
        let name = rest.takeLeft(16)
        let number = rest.takeRight(8)
        surface.put(part.title, at: name.origin, style: theme[tokens == 0 ? .faint : .text], width: 15)
        surface.put(
            tokens == 0 ? "\(Character(theme.glyphs.nothing))" : Format.compact(tokens), at: number.origin,
            style: theme[tokens == 0 ? .faint : .text], width: number.columns, aligned: .right)
        guard tokens > 0, most > 0 else { return }
        surface.putBar(
            from: 0, to: Double(rest.columns) * Double(tokens) / Double(most), in: rest, style: theme[part.role],
            shape: .airy, glyphs: theme.glyphs)
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
