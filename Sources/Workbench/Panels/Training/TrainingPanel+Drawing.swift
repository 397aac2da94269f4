package import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
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

    private func drawRuns(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let frame = Frame("Runs", count: FrameLabel(Format.count(runs.runs.count)), isFocused: isFocused)
        let inside = frame.draw(into: &surface, in: area, theme: theme)
        guard !runs.runs.isEmpty else {
            let lines = [
                "no runs yet", "", "r  trains by a configuration file", "i  takes in a log of another program",
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
            series: chart.roles())
    }

    private func drawChart(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(chart.series ?? "Curve"), isFocused: isFocused)
        if let shown {
            frame.details = [FrameLabel(shown.summary.name, role: .dim)]
            if chart.smoothing > 0 {
                frame.details.append(FrameLabel("smoothed \(AxisLabel.text(chart.smoothing))", role: .dim))
            }
            if chart.isLogVertical || chart.isLogHorizontal { frame.details.append(FrameLabel("log", role: .dim)) }
            frame.trailing = [FrameLabel(shown.summary.state.word, role: shown.summary.state.role)]
        }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard shown != nil else { return }
        chart.draw(
            into: &surface, in: inside,
            names: Dictionary(runs.runs.map { ($0.id, $0.name) }, uniquingKeysWith: { a, _ in a }), theme: theme)
    }

    private func drawLayers(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Layers", isFocused: isFocused)
        if !layers.rows.isEmpty {
            frame.count = FrameLabel(Format.count(layers.rows.count))
            frame.details = [FrameLabel(layers.figure.word, role: .dim)]
        }
        let inside = frame.draw(into: &surface, in: area, theme: theme)
        guard shown != nil else { return }
        layers.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    private func drawDetail(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(
            FrameLabel(view.rawValue.prefix(1).uppercased() + view.rawValue.dropFirst()), isFocused: isFocused)
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard shown != nil else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        guard !(text.isAtTop && text.isAtEnd), area.rows > 2 else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
