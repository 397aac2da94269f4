/// A line chart with axes, for example of losses or latencies.
public struct LineChart: Sendable {
    /// A line of a chart.
    public struct Series: Sendable {
        /// Name in the legend.
        public var name: String
        /// Points in drawing order.
        public var points: [(x: Double, y: Double)]
        /// Color of the line.
        public var role: Role

        /// Creates a line through points.
        public init(_ name: String, _ points: [(x: Double, y: Double)], role: Role) {
            self.name = name
            self.points = points
            self.role = role
        }

        /// Creates a line through values at 0, 1, 2, and so on.
        public init(_ name: String, values: [Double], role: Role) {
            self.init(name, values.enumerated().map { (Double($0.offset), $0.element) }, role: role)
        }
    }

    /// Lines of the chart; later lines cover earlier ones.
    public var series: [Series]
    /// Horizontal scale.
    public var horizontal: AxisScale
    /// Vertical scale.
    public var vertical: AxisScale

    /// Creates a line chart.
    public init(_ series: [Series], horizontal: AxisScale = .linear, vertical: AxisScale = .linear) {
        self.series = series
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Draws the axes and lines, and a legend at the top if there are several lines.
    ///
    /// A line is interrupted at points without a position on an axis, such as missing measurements.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.columns >= 12, area.rows >= 4, let xs = range(horizontal, \.x), let ys = range(vertical, \.y) else {
            return
        }
        var plot = area
        if series.count > 1 { drawNames(into: &surface, in: plot.takeTop(1), theme: theme) }
        let axes = ChartAxes(horizontal: horizontal, xs, vertical: vertical, ys)
        guard let plot = axes.draw(into: &surface, in: plot, theme: theme) else { return }
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        for (index, line) in series.enumerated() { plotLine(line, index, on: &canvas, axes) }
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

    private func plotLine(_ line: Series, _ index: Int, on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        var previous: Point?
        for point in line.points {
            guard let place = axes.place(x: point.x, y: point.y, on: canvas) else {
                previous = nil
                continue
            }
            canvas.line(from: previous ?? place, to: place, series: index)
            previous = place
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
