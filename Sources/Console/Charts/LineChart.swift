/// Lines through points, with axes: for losses, latencies, scaling.
public struct LineChart: Sendable {
    public struct Series: Sendable {
        public var name: String
        public var points: [(x: Double, y: Double)]
        public var role: Role

        public init(_ name: String, _ points: [(x: Double, y: Double)], role: Role) {
            self.name = name
            self.points = points
            self.role = role
        }

        /// Values at 0, 1, 2, ...
        public init(_ name: String, values: [Double], role: Role) {
            self.init(name, values.enumerated().map { (Double($0.offset), $0.element) }, role: role)
        }
    }

    public var series: [Series]
    public var horizontal: AxisScale
    public var vertical: AxisScale

    public init(_ series: [Series], horizontal: AxisScale = .linear, vertical: AxisScale = .linear) {
        self.series = series
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Draws axes, lines and, where there are several series, their names at the top.
    ///
    /// A line ends where a point has no place on its axis: what was not measured is not drawn.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.columns >= 12, area.rows >= 4, let xs = range(horizontal, \.x), let ys = range(vertical, \.y) else {
            return
        }
        var plot = area
        if series.count > 1 { drawNames(into: &surface, in: plot.takeTop(1), theme: theme) }
        let axis = plot.takeBottom(2)
        let marks = vertical.ticks(in: ys, atMost: max(2, plot.rows / 3))
        let labels = marks.map(AxisLabel.text)
        let margin = plot.takeLeft((labels.map(\.count).max() ?? 0) + 1)
        guard plot.columns > 4, plot.rows > 1 else { return }
        drawFrame(into: &surface, plot, margin, axis, theme)
        for (mark, label) in zip(marks, labels) {
            guard let share = vertical.fraction(of: mark, in: ys) else { continue }
            let row = plot.endRow - 1 - Int((share * Double(plot.rows - 1)).rounded())
            surface.put(
                label, at: Point(column: margin.column, row: row), style: theme[.dim], width: margin.columns - 1,
                aligned: .right)
            surface.put(
                theme.glyphs.teeLeft, at: Point(column: margin.endColumn - 1, row: row), style: theme[.border])
        }
        drawHorizontalLabels(into: &surface, plot, axis, xs, theme)
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        for (index, line) in series.enumerated() { plotLine(line, index, on: &canvas, xs, ys) }
        canvas.draw(into: &surface, at: plot.origin, roles: series.map(\.role), theme: theme)
    }

    private func range(_ scale: AxisScale, _ coordinate: (((x: Double, y: Double)) -> Double)) -> ClosedRange<Double>? {
        var lower = Double.infinity
        var upper = -Double.infinity
        for line in series {
            for point in line.points {
                let value = coordinate(point)
                guard value.isFinite, scale == .linear || value > 0 else { continue }
                lower = min(lower, value)
                upper = max(upper, value)
            }
        }
        guard lower <= upper else { return nil }
        if lower < upper { return lower...upper }
        return scale == .linear ? lower - 0.5...upper + 0.5 : lower / 2...upper * 2
    }

    private func plotLine(
        _ line: Series, _ index: Int, on canvas: inout BrailleCanvas, _ xs: ClosedRange<Double>,
        _ ys: ClosedRange<Double>
    ) {
        var previous: Point?
        for point in line.points {
            guard let x = horizontal.fraction(of: point.x, in: xs), let y = vertical.fraction(of: point.y, in: ys)
            else {
                previous = nil
                continue
            }
            let place = Point(
                column: Int((x * Double(canvas.columns - 1)).rounded()),
                row: canvas.rows - 1 - Int((y * Double(canvas.rows - 1)).rounded()))
            canvas.line(from: previous ?? place, to: place, series: index)
            previous = place
        }
    }

    private func drawFrame(into surface: inout Surface, _ plot: Rect, _ margin: Rect, _ axis: Rect, _ theme: Theme) {
        let glyphs = theme.glyphs
        let column = margin.endColumn - 1
        surface.fill(
            Rect(column: column, row: plot.row, columns: 1, rows: plot.rows), with: glyphs.vertical,
            style: theme[.border])
        surface.fill(
            Rect(column: column, row: axis.row, columns: plot.columns + 1, rows: 1), with: glyphs.horizontal,
            style: theme[.border])
        let corner: Unicode.Scalar = glyphs.isASCII ? "+" : "└"
        surface.put(String(Character(corner)), at: Point(column: column, row: axis.row), style: theme[.border])
    }

    private func drawHorizontalLabels(
        into surface: inout Surface, _ plot: Rect, _ axis: Rect, _ xs: ClosedRange<Double>, _ theme: Theme
    ) {
        var free = plot.column - 1
        for mark in horizontal.ticks(in: xs, atMost: max(2, plot.columns / 8)) {
            guard let share = horizontal.fraction(of: mark, in: xs) else { continue }
            let column = plot.column + Int((share * Double(plot.columns - 1)).rounded())
            let label = AxisLabel.text(mark)
            let start = min(max(plot.column - 1, column - label.count / 2), plot.endColumn - label.count)
            surface.put(theme.glyphs.teeDown, at: Point(column: column, row: axis.row), style: theme[.border])
            guard start >= free else { continue }
            surface.put(label, at: Point(column: start, row: axis.row + 1), style: theme[.dim])
            free = start + label.count + 1
        }
    }

    private func drawNames(into surface: inout Surface, in row: Rect, theme: Theme) {
        var column = row.column
        for line in series where column < row.endColumn {
            column += surface.put(
                StyledLine([.init(String(Character(theme.glyphs.horizontal)), line.role), .init(" " + line.name, .dim)]
                ),
                at: Point(column: column, row: row.row), theme: theme, width: row.endColumn - column)
            column += 2
        }
    }
}
