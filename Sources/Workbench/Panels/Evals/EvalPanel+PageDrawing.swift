internal import Console
internal import EvalLogs
internal import Evals

extension EvalPanel {
    // MARK: Diff

    func drawPairs(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Diff", isFocused: isFocused)
        if let contrast = diff.contrast {
            frame.count = FrameLabel(
                diff.only == nil && diff.words.isEmpty
                    ? Format.count(contrast.pairs.count)
                    : "\(Format.count(diff.list.count)) of \(Format.count(contrast.pairs.count))")
            frame.details = [FrameLabel(contrast.score)]
            if !diff.words.isEmpty { frame.details.append(FrameLabel(diff.words, role: .match)) }
            if let only = diff.only { frame.details.append(FrameLabel(only.word, role: EvalFigure.change(only))) }
        }
        if let base = diff.base, let new = diff.new {
            let arrow = String(Character(theme.glyphs.right))
            frame.trailing = [FrameLabel("\(base.title) \(arrow) \(new.title)", role: .accent)]
        }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        guard diff.contrast != nil else {
            surface.put(
                "comparing", at: Point(column: inside.column + 1, row: inside.row), style: theme[.dim],
                width: inside.columns - 1)
            return
        }
        diff.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    func drawSide(_ pane: Pane, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let isBefore = pane == .before
        var frame = Frame(isBefore ? "Before" : "After", isFocused: isFocused)
        if let entry = isBefore ? diff.base : diff.new { frame.details = [FrameLabel(entry.title, role: .dim)] }
        drawText(isBefore ? diff.before : diff.after, frame, into: &surface, in: area, theme: theme)
    }

    // MARK: Matrix

    func drawMatrix(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Matrix", isFocused: isFocused)
        if !matrix.rows.isEmpty {
            frame.count = FrameLabel("\(matrix.rows.count) by \(matrix.columns.count)")
            frame.details = [FrameLabel(matrix.task, role: .dim), FrameLabel(matrix.metric)]
            if matrix.hidden > 0 {
                frame.trailing = [FrameLabel("latest complete runs, \(matrix.hidden) not shown")]
            }
        }
        let inside = framed(frame, into: &surface, in: area, theme: theme).inset(columns: 1)
        guard !matrix.rows.isEmpty else {
            surface.put("no runs of this task", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        var rest = inside
        var foot = rest.takeBottom(1)
        guard let layout = matrix.layout(in: rest, theme.glyphs) else {
            return matrix.drawList(into: &surface, in: inside, theme: theme)
        }
        matrix.draw(layout, into: &surface, in: rest, theme: theme, isFocused: isFocused)
        let more = foot.takeRight(min(foot.columns, DisplayWidth.of(layout.more)))
        surface.put(layout.more, at: more.origin, style: theme[.accent], width: more.columns)
        guard let entry = matrix.selected else { return }
        _ = rest.takeTop(layout.usedRows)
        if rest.rows >= 8 { return drawReading(of: entry, into: &surface, in: rest, theme: theme) }
        let metric = entry.metric.map(EvalFigure.text) ?? "no metric yet"
        surface.put(
            StyledLine([
                .init(entry.title, .accent), .init("  \(metric)", .strong),
                .init("  n \(Format.count(entry.metric?.count ?? entry.completed))", .dim),
                .init(entry.part.map { "  \($0)" } ?? "", .warning),
            ]), at: foot.origin, theme: theme, width: foot.columns)
    }

    /// The overview of the run under the cursor, in the room that the cells leave.
    private func drawReading(of entry: EvalRunEntry, into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        surface.put(entry.title, at: rest.takeTop(1).origin, style: theme[.heading], width: rest.columns)
        let reading = EvalRunReading(entry: entry, open: open?.id == entry.id ? open : nil)
        var text = TextView(reading.sections(.overview))
        text.layout(rest.size)
        text.draw(into: &surface, in: rest, theme: theme)
    }

    // MARK: Queue

    func drawQueue(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("To judge", isFocused: isFocused)
        if let queue = queue.queue, let place = self.queue.place {
            frame.count = FrameLabel("\(Format.count(place + 1)) of \(Format.count(queue.entries.count))")
        }
        if let entry = queue.run.flatMap({ runs.entry($0) }) {
            frame.details = [FrameLabel(entry.title, role: .dim)]
        }
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        var inside = framed(frame, into: &surface, in: area, theme: theme).inset(columns: 1)
        let head = inside.takeTop(Self.queueHead(inside))
        for (row, line) in queue.head(theme.glyphs).enumerated() where row < head.rows {
            surface.put(
                line, at: Point(column: head.column, row: head.row + row), theme: theme, width: head.columns)
        }
        guard queue.entry != nil else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: text, into: &surface, in: area, theme: theme)
    }

    func drawAgreement(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let frame = Frame("Agreement", isFocused: isFocused)
        let inside = framed(frame, into: &surface, in: area, theme: theme).inset(columns: 1)
        queue.drawAgreement(into: &surface, in: inside, theme: theme)
    }
}
