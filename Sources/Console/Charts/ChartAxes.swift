/// Two scales around a plot: ticks, their labels, and where a point of the plane lies in it.
public struct ChartAxes: Sendable {
    public var horizontal: AxisScale
    public var vertical: AxisScale
    public var xs: ClosedRange<Double>
    public var ys: ClosedRange<Double>

    public init(
        horizontal: AxisScale = .linear, _ xs: ClosedRange<Double>, vertical: AxisScale = .linear,
        _ ys: ClosedRange<Double>
    ) {
        self.horizontal = horizontal
        self.xs = xs
        self.vertical = vertical
        self.ys = ys
    }

    /// Draws axes and labels, and returns the plot between them; nil where there is no room for one.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) -> Rect? {
        guard area.columns >= 12, area.rows >= 4 else { return nil }
        var plot = area
        let axis = plot.takeBottom(2)
        let marks = vertical.ticks(in: ys, atMost: max(2, plot.rows / 3))
        let labels = marks.map(AxisLabel.text)
        let margin = plot.takeLeft((labels.map(\.count).max() ?? 0) + 1)
        guard plot.columns > 4, plot.rows > 1 else { return nil }
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
        drawHorizontalLabels(into: &surface, plot, axis, theme)
        return plot
    }

    /// The dot of a point, from the top left; it may lie outside the canvas, and is nil where a scale has no place for it.
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

    private func drawHorizontalLabels(
        into surface: inout Surface, _ plot: Rect, _ axis: Rect, _ theme: Theme
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
}
