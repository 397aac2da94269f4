internal import Console
internal import Formatting
internal import LanguageModels
internal import Presentation
internal import Traces

extension TracePage {
    package static var panes: [Pane<Self>] { [runList, runOverview, runTree, context, detail] }

    /// Returns no name: the borders have no room for the hidden panes.
    package static func word(of pane: PaneName) -> String? { "" }

    private static var runList: Pane<Self> {
        .rows(
            .runs, \.runs.list, frame: \.runsFrame, part: { $0.rowsArea(in: $1) },
            press: { $0.pressList(at: $1, in: $2) }, draw: { $0.drawRuns(into: &$1, in: $2, theme: $3, isFocused: $4) }
        ).bordered(from: 4)
    }

    // MARK: Overview

    private static var runOverview: Pane<Self> {
        .canvas(.overview, frame: \.overviewFrame, opens: { _, _, _ in true }) { page, surface, area, theme in
            guard let overview = page.overview, overview.trace == page.runs.selectedID else { return }
            RunOverviewView(overview: overview).draw(into: &surface, in: area, theme: theme)
        }.passive
    }

    private var overviewFrame: Frame {
        guard let summary = runs.selected else { return Frame("Run") }
        let name = summary.name.truncatedBetweenWords(toColumns: max(16, columns(of: .overview) * 2 / 3))
        return Frame(FrameLabel(name), details: Self.figures(of: summary))
    }

    /// Returns the totals of a run, for borders.
    private static func figures(of summary: TraceSummary) -> [FrameLabel] {
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

    /// Returns the width of a pane with its border.
    private func columns(of pane: PaneName) -> Int {
        screen.placed.first { $0.pane == pane }?.area.columns ?? screen.size.columns
    }

    // MARK: Tree and waterfall

    private static var runTree: Pane<Self> {
        .tree(
            .run, \.spanTree, frame: \.runFrame, isPresent: { $0.run != nil },
            part: { WaterfallView.rowsArea(in: $1) }
        ) { page, surface, area, theme, isFocused in
            guard let run = page.run else { return }
            let waterfall = WaterfallView(run: run, isFocused: isFocused)
            waterfall.draw(into: &surface, in: area, theme: theme)
            let border = Rect(column: area.column, row: area.endRow, columns: area.columns, rows: 1)
            guard page.screen.placed.contains(where: { $0.pane == .run && $0.area.endRow > border.row }) else { return }
            waterfall.drawWindow(into: &surface, on: border, theme: theme)
        }
    }

    /// The spans of the open run; the visible time follows the cursor.
    private var spanTree: Tree {
        get { run?.tree.tree ?? Tree(TreeShape(depths: [])) }
        set { run?.move { $0 = newValue } }
    }

    private var runFrame: Frame {
        guard let run else { return Frame("Run") }
        let columns = columns(of: .run)
        let name = run.name.truncatedBetweenWords(toColumns: max(16, columns * 2 / 3))
        var frame = Frame(FrameLabel(name), details: Self.figures(of: run.trace.summary))
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

    // MARK: Context and detail

    private static var context: Pane<Self> {
        .canvas(
            .context, frame: \.contextFrame, isPresent: { $0.run != nil },
            empty: { $0.reading?.breakdown == nil ? ["no model call leads to this step"] : nil },
            move: { $0.text.move($1) }, scroll: { $0.text.scroll(by: $1) }
        ) { page, surface, area, theme in
            guard let run = page.run, let reading = page.reading, let breakdown = reading.breakdown else { return }
            ContextView(breakdown: breakdown, run: run, largest: reading.largest)
                .draw(into: &surface, in: area, theme: theme)
        }.bordered(from: 4)
    }

    private var contextFrame: Frame {
        var frame = Frame(run?.step.map { "Context at step \(Format.count($0 + 1))" } ?? "Context")
        guard let breakdown = reading?.breakdown else { return frame }
        frame.count = FrameLabel("\(Format.count(breakdown.total)) tokens")
        frame.details = [FrameLabel(breakdown.billed == nil ? "estimated" : "billed", role: .dim)]
        return frame
    }

    private static var detail: Pane<Self> {
        .text(
            .detail, \.text, frame: \.detailFrame, isPresent: { $0.run != nil },
            empty: { $0.showsSelectedStep ? nil : [] })
    }

    /// Whether the text of the selected step was read.
    private var showsSelectedStep: Bool {
        guard let reading else { return false }
        return reading.span == run?.selected
    }

    private var detailFrame: Frame {
        guard let run, let span = run.selectedSpan else { return Frame("Step") }
        var frame = Frame(FrameLabel("\(span.kind.name) \(span.name)"))
        frame.details = (reading?.span == span.ordinal ? reading?.titles ?? [] : []).map { FrameLabel($0, role: .dim) }
        if view != .conversation { frame.details.insert(FrameLabel(view.title, role: .accent), at: 0) }
        if run.marked.contains(span.ordinal) { frame.details.insert(FrameLabel("marked", role: .warning), at: 0) }
        return frame
    }

    /// Shows a step that was read; a search in the text continues in the new one.
    mutating func show(_ reading: StepReading) -> Work<Self> {
        let (query, size) = (text.search?.query, text.size)
        text = TextView(reading.sections, wraps: text.wraps)
        text.layout(size)
        if reading.view == .conversation, reading.firstNew > 0, showsAllMessages {
            text.scroll(to: TextPosition(section: reading.firstNew, offset: 0))
        }
        self.reading = reading
        if let query, !query.isEmpty { text.find(query) }
        return []
    }
}
