internal import Console
internal import Formatting
internal import LanguageModels
internal import Traces

/// A run as tree and waterfall: names on the left, start and duration on the right.
struct WaterfallView {
    var run: OpenRun
    var isFocused: Bool

    /// Returns the area of the spans, below the axis, which small areas omit.
    static func rowsArea(in area: Rect) -> Rect {
        var rows = area
        if area.rows > 2 { _ = rows.takeTop(1) }
        return rows
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let rows = Self.rowsArea(in: area)
        let columns = Columns(area)
        if rows.row > area.row {
            let axis = Rect(column: area.column, row: area.row, columns: area.columns, rows: 1)
            drawPosition(into: &surface, in: axis, columns: columns, theme: theme)
            run.timeline.drawAxis(in: columns.bars(in: axis), into: &surface, theme: theme)
            if let span = run.selectedSpan {
                drawMark(at: run.time(of: span).lowerBound, into: &surface, in: columns.bars(in: axis), theme: theme)
            }
        }
        run.tree.tree.draw(into: &surface, in: rows, theme: theme, isFocused: isFocused) { surface, row in
            let span = run.trace.spans[run.tree.span(atNode: row.node)]
            let line = Rect(column: area.column, row: row.area.row, columns: area.columns, rows: 1)
            var name = row.area
            if columns.bars > 0 { name.columns = max(0, columns.durationStart(in: line) - 1 - name.column) }
            surface.clipped(to: name) { drawName(of: span, into: &$0, in: name, row: row, theme: theme) }
            drawTime(of: span, into: &surface, line: line, columns: columns, row: row, theme: theme)
        }
    }

    /// Marks the time of the cursor on the axis; labels stay legible.
    private func drawMark(at time: Int64, into surface: inout Surface, in bars: Rect, theme: Theme) {
        let column = min(bars.columns - 1, max(0, Int(run.timeline.column(of: time, columns: bars.columns))))
        let place = Rect(column: bars.column + column, row: bars.row, columns: 1, rows: 1)
        func isBlank(_ offset: Int) -> Bool {
            let point = Point(column: place.column + offset, row: place.row)
            return !bars.contains(point) || surface.text(at: point) == " "
        }
        // A single blank inside a label belongs to it.
        guard !isBlank(0) || !isBlank(-1) && !isBlank(1) else {
            return run.timeline.drawMark(at: time, in: bars, into: &surface, theme: theme)
        }
        surface.restyle(place) { _ in theme[.accent].adding(.underline) }
    }

    /// Draws the position of the cursor and the visible time: `step 37 of 112   5.0 s to 31.2 s`.
    private func drawPosition(into surface: inout Surface, in axis: Rect, columns: Columns, theme: Theme) {
        var line = StyledLine()
        if let step = run.step, run.replay.steps[step] == run.selected {
            line.append("step \(Format.count(step + 1)) of \(Format.count(run.replay.count))   ", .accent)
        }
        line.append(shownTime, .dim)
        let room = columns.bars(in: axis).column - axis.column - 3
        surface.put(line, at: Point(column: axis.column + 2, row: axis.row), theme: theme, width: max(0, room))
    }

    private var shownTime: String {
        let timeline = run.timeline
        guard !timeline.isWhole else { return "whole run" }
        let (start, end) = (timeline.window.lowerBound, timeline.window.upperBound)
        return
            "\(start == 0 ? "0" : Format.duration(nanoseconds: Int(start))) to \(Format.duration(nanoseconds: Int(end)))"
    }

    /// Draws the visible part of the run onto the border below the bars.
    func drawWindow(into surface: inout Surface, on border: Rect, theme: Theme) {
        let bars = Columns(border).bars(in: border)
        let timeline = run.timeline
        guard !timeline.isWhole, bars.columns > 0 else { return }
        let scale = Double(bars.columns) / Double(timeline.length)
        let first = min(bars.columns - 1, Int(Double(timeline.window.lowerBound) * scale))
        let last = max(first + 1, min(bars.columns, Int((Double(timeline.window.upperBound) * scale).rounded(.up))))
        let shown = Rect(column: bars.column + first, row: border.row, columns: last - first, rows: 1)
        surface.fill(shown, with: theme.glyphs.heavyLine, style: theme[.accent])
    }

    /// The three columns: name, duration, bars.
    private struct Columns {
        let bars: Int
        static let duration = 9

        /// Creates the columns: names get a third of the width, or two fifths of a large one; below forty columns they
        /// get all of it.
        init(_ area: Rect) {
            switch area.columns {
            case ..<40: bars = 0
            case ..<50: bars = area.columns / 5
            case ..<100: bars = max(12, area.columns * 35 / 100)
            default: bars = area.columns * 42 / 100
            }
        }

        func bars(in line: Rect) -> Rect {
            Rect(column: line.endColumn - bars - 1, row: line.row, columns: bars, rows: 1)
        }

        func durationStart(in line: Rect) -> Int { line.endColumn - bars - 2 - Self.duration }
    }

    private func drawName(of span: Span, into surface: inout Surface, in area: Rect, row: Tree.Row, theme: Theme) {
        let isMatch = run.matches.map { $0.isMatch[span.ordinal] }
        let hasFailed = span.status == .error
        var line = StyledLine()
        if run.marked.contains(span.ordinal) { line.append("\(Character(theme.glyphs.mark)) ", .warning) }
        let sign = hasFailed ? Character(theme.glyphs.failed) : span.kind.sign(theme.glyphs)
        line.append("\(sign) ", hasFailed ? .failure : span.kind.role)
        for run in SpanLabel(span).runs(isMatch: isMatch) { line.append(run.text, run.role) }
        surface.put(line, at: area.origin, theme: theme, width: area.columns, in: row.state)
    }

    private func drawTime(
        of span: Span, into surface: inout Surface, line: Rect, columns: Columns, row: Tree.Row, theme: Theme
    ) {
        guard columns.bars > 0 else { return }
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

extension SpanKind {
    /// Color role of a kind, the same wherever spans are drawn.
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

    /// Returns the sign of a kind.
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
