/// The axes of a plot: two scales with ticks and labels.
public struct ChartAxes: Sendable {
    /// Horizontal scale.
    public var horizontal: AxisScale
    /// Vertical scale.
    public var vertical: AxisScale
    /// Range of the horizontal axis.
    public var xs: ClosedRange<Double>
    /// Range of the vertical axis.
    public var ys: ClosedRange<Double>
    /// Whether horizontal ticks are limited to whole numbers, as for run counts.
    public var hasWholeTicks = false

    /// Creates axes for two ranges.
    public init(
        horizontal: AxisScale = .linear, _ xs: ClosedRange<Double>, vertical: AxisScale = .linear,
        _ ys: ClosedRange<Double>
    ) {
        self.horizontal = horizontal
        self.xs = xs
        self.vertical = vertical
        self.ys = ys
    }

    /// Draws the axes and their labels, and returns the area of the plot; `nil` if there is no room for a plot.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) -> Rect? {
        guard area.columns >= 12, area.rows >= 4 else { return nil }
        var plot = area
        let axis = plot.takeBottom(2)
        let marks = verticalMarks(plot.rows)
        let margin = plot.takeLeft((marks.map { $0.text.count }.max() ?? 0) + 1)
        guard plot.columns > 4, plot.rows > 1 else { return nil }
        drawFrame(into: &surface, plot, margin, axis, theme)
        for mark in marks {
            let row = plot.endRow - 1 - mark.height
            surface.put(
                mark.text, at: Point(column: margin.column, row: row), style: theme[.dim], width: margin.columns - 1,
                aligned: .right)
            surface.put(
                theme.glyphs.teeLeft, at: Point(column: margin.endColumn - 1, row: row), style: theme[.border])
        }
        drawHorizontalLabels(into: &surface, plot, axis, theme)
        return plot
    }

    /// Returns the canvas dot of a point, counted from the top left; the dot may be outside the canvas.
    ///
    /// - Returns: `nil` if a coordinate has no position on its scale.
    public func place(x: Double, y: Double, on canvas: BrailleCanvas) -> Point? {
        guard let across = horizontal.fraction(of: x, in: xs), let up = vertical.fraction(of: y, in: ys),
            abs(across) < 1e4, abs(up) < 1e4
        else { return nil }
        return Point(
            column: Int((across * Double(canvas.columns - 1)).rounded()),
            row: canvas.rows - 1 - Int((up * Double(canvas.rows - 1)).rounded()))
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

    /// Returns the labels of the vertical scale and their rows above the axis.
    ///
    /// Labels are round values, and a linear scale also labels both ends. Evenly spaced labels that include both ends
    /// are preferred, even if they are only two rows apart.
    private func verticalMarks(_ rows: Int) -> [(text: String, height: Int)] {
        func mark(_ value: Double) -> (text: String, height: Int)? {
            guard let share = vertical.fraction(of: value, in: ys) else { return nil }
            return (text: AxisLabel.text(value), height: Int((share * Double(rows - 1)).rounded()))
        }
        let round = vertical.ticks(in: ys, atMost: max(2, rows / 3)).compactMap(mark)
        guard vertical == .linear, rows > 1, ys.lowerBound < ys.upperBound, let first = mark(ys.lowerBound),
            let last = mark(ys.upperBound), first.text != last.text
        else { return round }
        let limit = max(2, rows / 3)
        for count in Array((2...limit).reversed()) + Array(limit...max(limit, rows / 2)) {
            let even = vertical.ticks(in: ys, atMost: count).compactMap(mark)
            let isClear = zip(even, even.dropFirst()).allSatisfy { $0.height + 1 < $1.height }
            if even.first?.text == first.text, even.last?.text == last.text, isClear { return even }
        }
        return [first] + round.filter { $0.height > first.height + 1 && $0.height < last.height - 1 } + [last]
    }

    private func drawHorizontalLabels(
        into surface: inout Surface, _ plot: Rect, _ axis: Rect, _ theme: Theme
    ) {
        // Labels may extend below the corner of the axes, where there is no other text.
        var limit = max(2, plot.columns / 8)
        if hasWholeTicks { limit = min(limit, max(2, Int(xs.upperBound - xs.lowerBound) + 1)) }
        let ticks = TickLabels(horizontal, xs, columns: plot.columns, before: 1, atMost: limit)
        for label in ticks.labels {
            surface.put(
                theme.glyphs.teeDown, at: Point(column: plot.column + label.tick, row: axis.row), style: theme[.border])
            surface.put(
                label.text, at: Point(column: plot.column + label.start, row: axis.row + 1), style: theme[.dim])
        }
    }
}
