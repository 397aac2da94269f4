/// Shares over time: the medians as a line, the spread of each behind it, and dots on the marked ones.
package struct SpreadChart {
    /// A share with the range that holds most of its samples.
    package struct Value {
        var median: Double
        var range: ClosedRange<Double>

        package init(_ median: Double, in range: ClosedRange<Double>) {
            self.median = median
            self.range = range
        }
    }

    /// Oldest first; a missing value is a gap in the line.
    private let values: [(value: Value?, isMarked: Bool)]
    /// Whole of which the values are shares, and unit of the horizontal axis.
    private let titles: (vertical: String, horizontal: String)

    package init(_ values: [(value: Value?, isMarked: Bool)], titles: (vertical: String, horizontal: String)) {
        self.values = values
        self.titles = titles
    }

    /// Returns the number of rows that the chart uses; 0 if there is no line to draw or no room.
    package func rows(of available: Int) -> Int {
        values.count > 1 && available >= 12 ? min(10, available / 2) : 0
    }

    package func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.columns >= 24, area.rows >= 4 else { return }
        let ranges = values.compactMap { $0.value?.range }
        guard let least = ranges.map(\.lowerBound).min().map({ $0 * 100 }),
            let most = ranges.map(\.upperBound).max().map({ $0 * 100 })
        else { return }
        let room = max(1, (most - least) * 0.15)
        var axes = ChartAxes(1...Double(max(2, values.count)), max(0, least - room)...most + room)
        axes.hasWholeTicks = true
        guard let plot = axes.draw(into: &surface, in: area, theme: theme) else { return }
        surface.put("% of \(titles.vertical)", at: Point(column: plot.column + 1, row: plot.row), style: theme[.dim])
        let word = " \(titles.horizontal)"
        surface.put(word, at: Point(column: plot.endColumn - word.count, row: plot.endRow), style: theme[.dim])
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        var spreads = canvas
        func place(_ index: Int, _ share: Double) -> Point? {
            axes.place(x: Double(index + 1), y: share * 100, on: canvas)
        }
        for (index, entry) in values.enumerated() {
            guard let range = entry.value?.range, let low = place(index, range.lowerBound),
                let high = place(index, range.upperBound)
            else { continue }
            spreads.line(from: low, to: high)
        }
        spreads.draw(into: &surface, at: plot.origin, roles: [.faint], theme: theme)
        let places = values.enumerated().map { index, entry in entry.value.flatMap { place(index, $0.median) } }
        var last: Point?
        for place in places {
            if let place { canvas.line(from: last ?? place, to: place) }
            last = place
        }
        canvas.draw(into: &surface, at: plot.origin, roles: [.series1], theme: theme)
        for (entry, place) in zip(values, places) where entry.isMarked {
            guard let place else { continue }
            let cell = Point(
                column: plot.column + place.column * plot.columns / max(1, canvas.columns),
                row: plot.row + place.row * plot.rows / max(1, canvas.rows))
            surface.put(theme.glyphs.dot, at: cell, style: theme[.failure])
        }
    }
}
