package import Console
internal import Formatting
internal import Training
internal import TrainingLab

extension TrainingPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        let placedPanes = placedPanes
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .runs: drawRuns(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .chart: drawChart(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .layers: drawLayers(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .detail: drawDetail(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    /// Draws the border of a pane; the last pane's border names the panes that do not fit.
    private func framed(_ frame: Frame, _ pane: Pane, into surface: inout Surface, in area: Rect, theme: Theme) -> Rect
    {
        let hidden = placedPanes.last?.pane == pane ? hidden : []
        return frame.drawIfRoom(into: &surface, in: area, theme: theme, hidden: hidden)
    }

    private func drawRuns(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let frame = Frame("Runs", count: FrameLabel(Format.count(runs.runs.count)), isFocused: isFocused)
        let inside = framed(frame, .runs, into: &surface, in: area, theme: theme)
        guard !runs.runs.isEmpty else {
            let lines = [
                "no runs yet", "", "r  trains from a configuration file", "i  imports a log from another program",
            ]
            for (row, line) in lines.enumerated() where row < inside.rows {
                surface.put(
                    line, at: Point(column: inside.column + 1, row: inside.row + row), style: theme[.dim],
                    width: inside.columns - 1)
            }
            return
        }
        runs.draw(
            into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: shown?.summary.id,
            chart: chart, now: engine.now())
        ScrollBar(runs.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private func drawChart(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(chartTitle), isFocused: isFocused)
        if let shown {
            if let index = chart.series.flatMap({ shown.names.firstIndex(of: $0) }), shown.names.count > 1 {
                frame.count = FrameLabel("\(index + 1) of \(Format.count(shown.names.count))")
            }
            frame.details = [FrameLabel(shown.summary.name, role: .dim)] + chartDetails
            frame.trailing = [FrameLabel(shown.summary.standing, role: shown.summary.state.role)]
        }
        let inside = framed(frame, .chart, into: &surface, in: area, theme: theme).inset(columns: 1)
        guard shown != nil else { return }
        chart.draw(into: &surface, in: inside, chartLabels, theme: theme)
    }

    private var chartTitle: String {
        guard let series = chart.series else { return "Curve" }
        return chart.companion == nil ? series : CurvePairs.title(series)
    }

    /// Settings of the chart that change how the curve looks.
    private var chartDetails: [FrameLabel] {
        var details: [FrameLabel] = []
        if chart.smoothing > 0 { details.append("smoothed \(Format.compact(chart.smoothing))") }
        switch (chart.isLogVertical, chart.isLogHorizontal) {
        case (true, true): details.append("log-log")
        case (true, false): details.append("log")
        case (false, true): details.append("log axis")
        case (false, false): break
        }
        if chart.window != nil { details.append(FrameLabel("zoomed", role: .accent)) }
        return details
    }

    var chartLabels: CurveChart.Labels {
        CurveChart.Labels(
            names: Dictionary(runs.runs.map { ($0.id, $0.name) }, uniquingKeysWith: { a, _ in a }),
            unit: shown?.summary.unit ?? "", marks: shown?.marks ?? [])
    }

    private func drawLayers(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Layers", isFocused: isFocused)
        if !layers.rows.isEmpty {
            frame.count = FrameLabel(Format.count(layers.rows.count))
            frame.details = [FrameLabel(layers.figure.word, role: .dim), FrameLabel(layers.sortTitle, role: .dim)]
        }
        let inside = framed(frame, .layers, into: &surface, in: area, theme: theme)
        layers.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
        ScrollBar(layers.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private func drawDetail(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(view.title), isFocused: isFocused)
        if let shown {
            switch view {
            case .samples: frame.count = FrameLabel(Format.count(shown.samples.count))
            case .events: frame.count = FrameLabel(Format.count(shown.events.count))
            case .overview, .configuration: break
            }
        }
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = framed(frame, .detail, into: &surface, in: area, theme: theme).inset(columns: 1)
        guard shown != nil else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        guard !(text.isAtTop && text.isAtEnd), Frame.inside(of: area).rows < area.rows else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
