package import Console
internal import LanguageModels
internal import Traces

extension TracePanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .runs: drawRuns(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .run: drawRun(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .context: drawContext(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .detail: drawDetail(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    // MARK: Runs

    /// The columns of the list.
    enum RunColumn: CaseIterable {
        case when, name, model, steps, duration, tokens, cost, errors

        /// By what a click on it sorts.
        var order: TraceOrder.Column? {
            switch self {
            case .when: .start
            case .name: .name
            case .duration: .duration
            case .tokens: .tokens
            case .cost: .cost
            case .errors: .errors
            case .model, .steps: nil
            }
        }
    }

    static let columns = RunColumn.allCases

    var runsTable: Table {
        let columns = Self.columns.map { column -> Table.Column in
            switch column {
            case .when: .init("when", minimum: 10, priority: 5)
            case .name: .init("run", minimum: 12, weight: 1)
            case .model: .init("model", minimum: 18, priority: 7)
            case .steps: .init("steps", alignment: .right, minimum: 6, priority: 6)
            case .duration: .init("time", alignment: .right, minimum: 9, priority: 4)
            case .tokens: .init("tokens", alignment: .right, minimum: 7, priority: 1)
            case .cost: .init("cost", alignment: .right, minimum: 8, priority: 3)
            case .errors: .init("err", alignment: .right, minimum: 4, priority: 0)
            }
        }
        let sorted = Self.columns.firstIndex { $0.order == runs.order.column } ?? 0
        return Table(columns, sort: .init(column: sorted, isAscending: !runs.order.isDescending))
    }

    private func drawRuns(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let count = runs.isComplete ? Format.count(runs.count) : runs.count == 0 ? nil : "\(Format.count(runs.count))…"
        var frame = Frame("Runs", count: count.map { FrameLabel($0) }, isFocused: isFocused)
        if !runs.filter.isEmpty { frame.details = [FrameLabel(runs.filter.text, role: .accent)] }
        let offer = discovered.contains(where: \.isReadable) && run == nil ? offerText : nil
        var inside = frame.draw(into: &surface, in: area, theme: theme)
        if let offer, inside.rows > 6 {
            let line = inside.takeBottom(1)
            surface.put(
                offer, at: Point(column: line.column + 1, row: line.row), style: theme[.info], width: line.columns - 2)
        }
        guard runs.count > 0 else { return drawNoRuns(into: &surface, in: inside, theme: theme) }
        let now = Int(now() / 1_000_000_000)
        runsTable.draw(runs.list, into: &surface, in: inside, theme: theme, isFocused: isFocused) { row, column in
            guard let run = runs[row] else { return .init(column == 1 ? "…" : "", .faint) }
            var cell = Self.cell(of: run, column: Self.columns[column], now: now)
            if Self.columns[column] == .name, run.id == self.run?.trace.summary.id { cell.role = .accent }
            return cell
        }
    }

    private static func cell(of run: TraceSummary, column: RunColumn, now: Int) -> Table.Cell {
        switch column {
        case .when: .init(run.start == 0 ? "·" : Format.clock(Int(run.start / 1_000_000_000), now: now), .dim)
        case .name: .init(run.name)
        case .model: .init(run.model ?? "", .dim)
        case .steps: .init(Format.count(run.modelCalls + run.toolCalls), .dim)
        case .duration: .init(Format.duration(nanoseconds: Int(run.duration)), .dim)
        case .tokens: .init(run.usage.total == 0 ? "·" : Format.compact(run.usage.total))
        case .cost:
            .init(
                run.cost.map { ($0 > 0 && $0 < 0.001 ? "<$0.001" : Format.money($0)) + (run.unpriced > 0 ? "+" : "") }
                    ?? "·", .dim)
        case .errors: run.errors == 0 ? .init("·", .faint) : .init(Format.count(run.errors), .failure)
        }
    }

    private var offerText: String {
        let count = discovered.filter(\.isReadable).count
        return
            "\(Self.counted(count, "session")) of coding agents on this machine: I imports \(count == 1 ? "it" : "them")"
    }

    private func drawNoRuns(into surface: inout Surface, in area: Rect, theme: Theme) {
        let sentence =
            !runs.isComplete
            ? ""
            : runs.filter.isEmpty
                ? "no runs yet: i imports a file or folder" : "no run matches the filter: esc clears it"
        let column = area.column + max(1, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }

    // MARK: Tree and waterfall

    private func drawRun(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let run else {
            Frame("Run", isFocused: isFocused).draw(into: &surface, in: area, theme: theme)
            return
        }
        let inside = runFrame(run, columns: area.columns, isFocused: isFocused)
            .draw(into: &surface, in: area, theme: theme)
        WaterfallView(run: run, isFocused: isFocused).draw(into: &surface, in: inside, theme: theme)
    }

    private func runFrame(_ run: OpenRun, columns: Int, isFocused: Bool) -> Frame {
        let summary = run.trace.summary
        var frame = Frame(FrameLabel(run.name.truncated(toColumns: max(16, columns / 2))), isFocused: isFocused)
        frame.details = [
            FrameLabel(Format.duration(nanoseconds: Int(summary.duration)), role: .dim),
            FrameLabel(
                summary.usage.total == 0 ? "tokens not recorded" : "\(Format.compact(summary.usage.total)) tokens",
                role: .dim),
        ]
        if let cost = summary.cost {
            frame.details.append(FrameLabel(Format.money(cost) + (summary.unpriced > 0 ? " or more" : ""), role: .dim))
        }
        if summary.errors > 0 {
            frame.details.append(FrameLabel(Self.counted(summary.errors, "error"), role: .failure))
        }
        if let matches = run.matches {
            let sign = matches.isFilter ? "only" : "found"
            frame.trailing = [
                FrameLabel(
                    "\(sign) \(Format.count(matches.spans.count)): \(matches.query.truncated(toColumns: columns / 3))",
                    role: .accent)
            ]
        }
        if playback.isPlaying { frame.trailing.append(FrameLabel("playing \(playback.pace.title)", role: .success)) }
        // What is going on wants the room of what stands in the list as well.
        if !frame.trailing.isEmpty { frame.details = [] }
        return frame
    }

    // MARK: Context and detail

    private func drawContext(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        ContextView(breakdown: reading?.breakdown, step: run?.step, history: run?.replay)
            .draw(into: &surface, in: area, theme: theme, isFocused: isFocused)
    }

    private func drawDetail(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let run, let span = run.selectedSpan else {
            Frame("Step", isFocused: isFocused).draw(into: &surface, in: area, theme: theme)
            return
        }
        var frame = Frame(FrameLabel("\(span.kind.name) \(span.name)"), isFocused: isFocused)
        frame.details = (reading?.span == span.ordinal ? reading?.titles ?? [] : []).map { FrameLabel($0, role: .dim) }
        if view != .conversation { frame.details.insert(FrameLabel(view.title, role: .accent), at: 0) }
        if run.marked.contains(span.ordinal) { frame.details.insert(FrameLabel("marked", role: .warning), at: 0) }
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard reading?.span == span.ordinal else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        drawPlace(into: &surface, in: area, theme: theme)
    }

    /// How far the text is read, on the border.
    private func drawPlace(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !(text.isAtTop && text.isAtEnd), area.rows > 2 else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
