package import Console
internal import Formatting
internal import LanguageModels
internal import Presentation
internal import Traces

extension TracePanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .runs: drawRuns(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .overview: drawOverview(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .run: drawRun(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .context: drawContext(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .detail: drawDetail(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    // MARK: Tree and waterfall

    private func drawRun(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let run else {
            Frame("Run", isFocused: isFocused).draw(into: &surface, in: area, theme: theme)
            return
        }
        let frame = runFrame(run, columns: area.columns, isFocused: isFocused)
        let inside = frame.draw(into: &surface, in: area, theme: theme)
        let waterfall = WaterfallView(run: run, isFocused: isFocused)
        waterfall.draw(into: &surface, in: inside, theme: theme)
        ScrollBar(run.tree.tree.list).draw(into: &surface, onBorderOf: area, theme: theme)
        if !frame.isOpen, area.rows > 2 {
            let border = Rect(column: inside.column, row: area.endRow - 1, columns: inside.columns, rows: 1)
            waterfall.drawWindow(into: &surface, on: border, theme: theme)
        }
    }

    private func runFrame(_ run: OpenRun, columns: Int, isFocused: Bool) -> Frame {
        let summary = run.trace.summary
        let name = run.name.truncatedBetweenWords(toColumns: max(16, columns * 2 / 3))
        var frame = Frame(FrameLabel(name), isFocused: isFocused)
        frame.isOpen = isTiny
        frame.details = Self.figures(of: summary)
        if let matches = run.matches {
            let sign = matches.isFilter ? "only" : "found"
            let query = matches.query.truncatedBetweenWords(toColumns: columns / 4)
            frame.trailing = [
                FrameLabel("\(sign) \(Format.count(matches.spans.count)): \(query)", role: .accent)
            ]
        }
        if playback.isPlaying { frame.trailing.append(FrameLabel("playing \(playback.pace.title)", role: .success)) }
        // Labels of the current state also need the space of the labels that the list repeats.
        if !frame.trailing.isEmpty {
            frame.details = []
            frame.title.text = run.name.truncatedBetweenWords(toColumns: max(12, columns / 3))
        }
        return frame
    }

    /// Returns the totals of a run, for borders.
    static func figures(of summary: TraceSummary) -> [FrameLabel] {
        var labels = [
            FrameLabel(Format.duration(nanoseconds: Int(summary.duration)), role: .dim),
            FrameLabel(
                summary.usage.total == 0 ? "tokens not recorded" : "\(summary.tokenFigure) total tokens",
                role: .dim),
        ]
        if summary.cost != nil { labels.append(FrameLabel(summary.costFigure, role: .dim)) }
        if summary.errors > 0 { labels.append(FrameLabel(Format.count(summary.errors, "error"), role: .failure)) }
        return labels
    }

    // MARK: Context and detail

    private func drawContext(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        ContextView(breakdown: reading?.breakdown, run: run, largest: reading?.largest ?? [], isOpen: isTiny)
            .draw(into: &surface, in: area, theme: theme, isFocused: isFocused)
    }

    private func drawDetail(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let run, let span = run.selectedSpan else {
            Frame("Step", isFocused: isFocused).draw(into: &surface, in: area, theme: theme)
            return
        }
        var frame = Frame(FrameLabel("\(span.kind.name) \(span.name)"), isFocused: isFocused)
        frame.isOpen = isTiny
        frame.details = (reading?.span == span.ordinal ? reading?.titles ?? [] : []).map { FrameLabel($0, role: .dim) }
        if view != .conversation { frame.details.insert(FrameLabel(view.title, role: .accent), at: 0) }
        if run.marked.contains(span.ordinal) { frame.details.insert(FrameLabel("marked", role: .warning), at: 0) }
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard reading?.span == span.ordinal else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        drawPlace(into: &surface, in: area, theme: theme)
    }

    /// Draws the scroll position of the text on the border.
    private func drawPlace(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !(text.isAtTop && text.isAtEnd), area.rows > 2 else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
