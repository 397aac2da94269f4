/// The drawing of a trend chart inside its axes.
struct TrendPlot {
    let chart: TrendChart
    let axes: ChartAxes
    /// Cells inside the axes.
    let area: Rect
    let theme: Theme

    private var emptyCanvas: BrailleCanvas { BrailleCanvas(area.size, isASCII: theme.glyphs.isASCII) }

    /// Draws the range of each column behind the lines.
    func drawBands(into surface: inout Surface) {
        var canvas = emptyCanvas
        for bucket in chart.trends.lazy.flatMap(\.buckets) where bucket.hasFinite {
            let low = chart.isLogVertical ? max(bucket.minimum, axes.ys.lowerBound) : bucket.minimum
            guard let from = axes.place(x: bucket.lastX, y: low, on: canvas),
                let to = axes.place(x: bucket.lastX, y: bucket.maximum, on: canvas)
            else { continue }
            canvas.line(from: from, to: to)
        }
        canvas.draw(into: &surface, at: area.origin, roles: [.faint], theme: theme)
    }

    /// Draws the curves, rings on companion curves, and numbers at the ends of several curves.
    func drawLines(into surface: inout Surface) {
        let order = chart.order
        var canvas = emptyCanvas
        var ends: [(cell: Point, id: Trend.ID)] = []
        var rings: [(cell: Point, role: Role)] = []
        // Draw companions first and the leading curve last, on top.
        for trend in chart.companions.reversed() {
            let index = order.firstIndex(of: trend.id) ?? 0
            let cells = draw(trend, series: order.count + index, on: &canvas)
            rings += Self.spread(cells).map { ($0, chart.companionRole(index)) }
        }
        for trend in chart.trends.reversed() {
            let cells = draw(trend, series: order.firstIndex(of: trend.id) ?? 0, on: &canvas)
            if let end = cells.last { ends.append((end, trend.id)) }
        }
        let roles = order.indices.map(Role.series) + order.indices.map(chart.companionRole)
        canvas.draw(into: &surface, at: area.origin, roles: roles, theme: theme)
        // With ASCII glyphs, each line already has its own sign.
        if !theme.glyphs.isASCII {
            for (cell, role) in rings where area.contains(cell) {
                surface.put(theme.glyphs.ring, at: cell, style: theme[role])
            }
        }
        // Numbers distinguish the lines if colors do not.
        guard order.count > 1 else { return }
        for (cell, id) in ends where area.contains(cell) {
            guard let sign = chart.sign(of: id, theme.glyphs), let role = chart.role(of: id) else { continue }
            surface.put(sign, at: cell, style: theme[role])
        }
    }

    /// Draws marks of events and of infinite or NaN values on the axis line.
    ///
    /// - Returns: Columns with a mark.
    func drawMarks(_ marks: [TrendMark], into surface: inout Surface) -> Set<Int> {
        var marked: Set<Int> = []
        let faults = (chart.trends + chart.companions).lazy.flatMap(\.buckets).filter { $0.nonFinite > 0 }
        for mark in marks + faults.map({ TrendMark(at: $0.lastX, \.failed, .failure) }) where axes.xs.contains(mark.x) {
            guard let column = column(of: mark.x) else { continue }
            surface.put(
                theme.glyphs[keyPath: mark.glyph], at: Point(column: column, row: area.endRow), style: theme[mark.role])
            marked.insert(column)
        }
        return marked
    }

    /// Draws the unit of the axis as far to the right as marks allow.
    func drawUnit(_ unit: String, into surface: inout Surface, avoiding marked: Set<Int>) {
        let word = " \(unit.truncated(toColumns: max(1, area.columns / 3))) "
        let width = DisplayWidth.of(word)
        let columns = stride(from: area.endColumn - width, through: area.column + area.columns / 2, by: -1)
        guard let column = columns.first(where: { marked.isDisjoint(with: $0..<$0 + width) }) else { return }
        surface.put(word, at: Point(column: column, row: area.endRow), style: theme[.dim])
    }

    /// Draws the cursor as a vertical line in the cells that no curve occupies, unless the chart shows the values at its
    /// end.
    func drawCursor(into surface: inout Surface) {
        guard let cursor = chart.cursor, let reading = chart.leading?.reading(at: cursor),
            let column = column(of: reading.x)
        else { return }
        for row in area.row..<area.endRow where surface[Point(column: column, row: row)] == .blank {
            surface.put(theme.glyphs.vertical, at: Point(column: column, row: row), style: theme[.accent])
        }
    }

    // MARK: Pieces

    /// Draws a curve.
    ///
    /// - Returns: Cells of its points, from left to right.
    private func draw(_ trend: Trend, series: Int, on canvas: inout BrailleCanvas) -> [Point] {
        var last: Point?
        var cells: [Point] = []
        for bucket in trend.buckets {
            // A column without a finite number breaks the line.
            guard bucket.smoothed.isFinite, bucket.hasFinite,
                let dot = axes.place(x: bucket.lastX, y: bucket.smoothed, on: canvas)
            else {
                last = nil
                continue
            }
            canvas.line(from: last ?? dot, to: dot, series: series)
            last = dot
            cells.append(cell(of: dot, canvas))
        }
        return cells
    }

    /// Keeps cells some columns apart, because adjacent rings would look like a line.
    private static func spread(_ cells: [Point]) -> [Point] {
        var kept: [Point] = []
        for cell in cells where kept.last.map({ cell.column - $0.column >= 4 }) ?? true { kept.append(cell) }
        return kept
    }

    /// Returns the column of an axis position; `nil` outside the plot.
    private func column(of x: Double) -> Int? {
        let canvas = emptyCanvas
        guard let dot = axes.place(x: x, y: axes.ys.lowerBound, on: canvas) else { return nil }
        let column = cell(of: dot, canvas).column
        return (area.column..<area.endColumn).contains(column) ? column : nil
    }

    private func cell(of dot: Point, _ canvas: BrailleCanvas) -> Point {
        Point(
            column: area.column + dot.column * area.columns / max(1, canvas.columns),
            row: area.row + dot.row * area.rows / max(1, canvas.rows))
    }
}
