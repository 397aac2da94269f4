internal import Console
internal import KernelLab

/// How a rung did over time: its share of the ceiling as a line, regressions as dots on it.
struct HistoryChart {
    /// Oldest first.
    var runs: [KernelRun]

    /// Returns the number of rows that the chart uses; 0 if there is no line to draw or no room.
    func rows(of available: Int) -> Int {
        runs.count > 1 && available >= 12 ? min(10, available / 2) : 0
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.columns >= 24, area.rows >= 4 else { return }
        let shares = runs.compactMap(\.roofShare)
        guard let least = shares.map(\.low).min().map({ $0 * 100 }),
            let most = shares.map(\.high).max().map({ $0 * 100 })
        else { return }
        let room = max(1, (most - least) * 0.15)
        var axes = ChartAxes(1...Double(max(2, runs.count)), max(0, least - room)...most + room)
        axes.hasWholeTicks = true
        guard let plot = axes.draw(into: &surface, in: area, theme: theme) else { return }
        surface.put("% of the ceiling", at: Point(column: plot.column + 1, row: plot.row), style: theme[.dim])
        surface.put(" run", at: Point(column: plot.endColumn - 4, row: plot.endRow), style: theme[.dim])
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        func place(_ run: Int, _ share: Double?) -> Point? {
            share.flatMap { axes.place(x: Double(run + 1), y: $0 * 100, on: canvas) }
        }
        // Draw the spread of each run's samples faintly behind the line.
        var spreads = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        for (index, run) in runs.enumerated() {
            guard let low = place(index, run.roofShare?.low), let high = place(index, run.roofShare?.high) else {
                continue
            }
            spreads.line(from: low, to: high)
        }
        spreads.draw(into: &surface, at: plot.origin, roles: [.faint], theme: theme)
        let places = runs.enumerated().map { place($0.offset, $0.element.roofShare?.median) }
        var last: Point?
        for place in places {
            if let place { canvas.line(from: last ?? place, to: place) }
            last = place
        }
        canvas.draw(into: &surface, at: plot.origin, roles: [.series1], theme: theme)
        for (run, place) in zip(runs, places) where run.verdict.regression != nil {
            guard let place else { continue }
            let cell = Point(
                column: plot.column + place.column * plot.columns / max(1, canvas.columns),
                row: plot.row + place.row * plot.rows / max(1, canvas.rows))
            surface.put(theme.glyphs.dot, at: cell, style: theme[.failure])
        }
    }
}
