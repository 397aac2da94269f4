internal import Console
internal import LanguageModels
internal import Traces

/// The run as tree and waterfall in one: names at the left, when and how long at the right.
struct WaterfallView {
    var run: OpenRun
    var isFocused: Bool

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 1 else { return }
        var rows = area
        let axis = rows.takeTop(1)
        let columns = Columns(area)
        drawPosition(into: &surface, in: axis, theme: theme)
        run.timeline.drawAxis(in: columns.bars(in: axis), into: &surface, theme: theme)
        if let span = run.selectedSpan {
            drawMark(at: run.time(of: span).lowerBound, into: &surface, in: columns.bars(in: axis), theme: theme)
        }
        run.tree.tree.draw(into: &surface, in: rows, theme: theme, isFocused: isFocused) { surface, row in
            let span = run.trace.spans[run.tree.span(atNode: row.node)]
            let line = Rect(column: area.column, row: row.area.row, columns: area.columns, rows: 1)
            var name = row.area
            name.columns = max(0, columns.durationStart(in: line) - 1 - name.column)
            surface.clipped(to: name) { drawName(of: span, into: &$0, in: name, row: row, theme: theme) }
            drawTime(of: span, into: &surface, line: line, columns: columns, row: row, theme: theme)
        }
    }

    /// Marks the moment of the cursor on the axis; a label that stands there stays legible.
    private func drawMark(at time: Int64, into surface: inout Surface, in bars: Rect, theme: Theme) {
        let column = min(bars.columns - 1, max(0, Int(run.timeline.column(of: time, columns: bars.columns))))
        let place = Rect(column: bars.column + column, row: bars.row, columns: 1, rows: 1)
        guard surface.text(at: place.origin) != " " else {
            return run.timeline.drawMark(at: time, in: bars, into: &surface, theme: theme)
        }
        surface.restyle(place) { _ in theme[.accent].adding(.underline) }
    }

    /// Which step the cursor is on: `37/112`.
    private func drawPosition(into surface: inout Surface, in axis: Rect, theme: Theme) {
        guard let step = run.step, run.replay.steps[step] == run.selected else { return }
        surface.put(
            "step \(Format.count(step + 1)) of \(Format.count(run.replay.count))",
            at: Point(column: axis.column + 2, row: axis.row), style: theme[.accent])
    }

    /// The three columns: name, duration, bars.
    private struct Columns {
        let bars: Int
        static let duration = 9

        /// A third of the width: names want the rest, for they say what was done.
        init(_ area: Rect) { bars = area.columns >= 50 ? max(12, area.columns * 35 / 100) : max(0, area.columns / 5) }

        func bars(in line: Rect) -> Rect {
            Rect(column: line.endColumn - bars - 1, row: line.row, columns: bars, rows: 1)
        }

        func durationStart(in line: Rect) -> Int { line.endColumn - bars - 2 - Self.duration }
    }

    private func drawName(of span: Span, into surface: inout Surface, in area: Rect, row: Tree.Row, theme: Theme) {
        let isMatch = run.matches.map { $0.isMatch[span.ordinal] }
        let hasFailed = span.status == .error
        var line = StyledLine()
        if run.marked.contains(span.ordinal) { line.append("\(Character(theme.glyphs.dot)) ", .warning) }
        let sign = hasFailed ? Character(theme.glyphs.failed) : span.kind.sign(theme.glyphs)
        line.append("\(sign) ", hasFailed ? .failure : span.kind.role)
        for run in SpanLabel(span).runs(isMatch: isMatch) { line.append(run.text, run.role) }
        surface.put(styled(line, row, theme), at: area.origin, width: area.columns)
    }

    private func styled(_ line: StyledLine, _ row: Tree.Row, _ theme: Theme) -> [(String, Style)] {
        line.runs.map { ($0.text, row.style($0.role, theme)) }
    }

    private func drawTime(
        of span: Span, into surface: inout Surface, line: Rect, columns: Columns, row: Tree.Row, theme: Theme
    ) {
        let text = span.duration.map { Format.duration(nanoseconds: Int($0)) } ?? "no end"
        surface.put(
            text, at: Point(column: columns.durationStart(in: line), row: line.row), style: row.style(.dim, theme),
            width: Columns.duration, aligned: .right)
        let time = run.time(of: span)
        let role: Console.Role = span.status == .error ? .failure : span.kind.role
        run.timeline.drawBar(
            from: time.lowerBound, to: time.upperBound, in: columns.bars(in: line), into: &surface,
            style: row.style(role, theme), theme: theme)
    }
}

extension Surface {
    /// Draws pieces of text beside each other within a number of columns.
    fileprivate mutating func put(_ pieces: [(String, Style)], at point: Point, width: Int) {
        var column = point.column
        for (text, style) in pieces {
            let room = point.column + width - column
            guard room > 0 else { return }
            column += put(text, at: Point(column: column, row: point.row), style: style, width: room)
        }
    }
}

extension SpanKind {
    /// The color of a kind, the same wherever spans are drawn.
    var role: Console.Role {
        switch self {
        case .model: .series1
        case .tool: .series2
        case .agent: .series3
        case .retrieval, .reranker, .embedding: .series4
        case .guardrail, .evaluator: .series5
        case .chain, .other: .dim
        }
    }

    /// The sign of a kind.
    func sign(_ glyphs: Glyphs) -> Character {
        switch self {
        case .model: Character(glyphs.diamond)
        case .tool: Character(glyphs.collapsed)
        case .agent: Character(glyphs.dot)
        case .retrieval, .reranker, .embedding: Character(glyphs.ring)
        default: Character(glyphs.bullet)
        }
    }
}
