internal import Formatting

/// A value with its interval, drawn as a dot on a whisker: `├───●──┤`.
public struct IntervalBar: Hashable, Sendable {
    /// Value at the dot.
    public var value: Double
    /// Lower end of the interval; `nil` if unknown.
    public var lower: Double?
    /// Upper end of the interval; `nil` if unknown.
    public var upper: Double?

    /// Creates a value with an optional interval.
    public init(_ value: Double, lower: Double? = nil, upper: Double? = nil) {
        self.value = value
        self.lower = lower
        self.upper = upper
    }

    /// Draws the value and its interval in a row that spans a range.
    ///
    /// The dot is drawn whenever the value is in the range. An interval end outside the range is drawn as an arrow.
    public func draw(
        into surface: inout Surface, in row: Rect, range: ClosedRange<Double>, style: Style, whisker: Style,
        glyphs: Glyphs
    ) {
        guard !row.isEmpty, value.isFinite, let place = cell(value, in: row, range) else { return }
        if let lower, let upper, lower.isFinite, upper.isFinite, lower <= upper, let left = cell(lower, in: row, range),
            let right = cell(upper, in: row, range), right > left
        {
            surface.fill(
                Rect(column: left, row: row.row, columns: right - left + 1, rows: 1), with: glyphs.horizontal,
                style: whisker)
            surface.put(
                lower < range.lowerBound ? glyphs.left : glyphs.teeRight, at: Point(column: left, row: row.row),
                style: whisker)
            surface.put(
                upper > range.upperBound ? glyphs.right : glyphs.teeLeft, at: Point(column: right, row: row.row),
                style: whisker)
        }
        guard range.contains(value) else { return }
        surface.put(glyphs.dot, at: Point(column: place, row: row.row), style: style)
    }

    /// Returns the column of a value; values outside the range are clamped to its edges.
    private func cell(_ value: Double, in row: Rect, _ range: ClosedRange<Double>) -> Int? {
        guard let share = AxisScale.linear.fraction(of: value, in: range) else { return nil }
        return row.column + Int((min(1, max(0, share)) * Double(row.columns - 1)).rounded())
    }
}

/// A chart that compares values with intervals on one scale: a label, an interval, and a value per row.
public struct IntervalChart: Sendable {
    /// A row of an interval chart.
    public struct Row: Hashable, Sendable {
        /// Text at the left.
        public var label: String
        /// Value and interval.
        public var bar: IntervalBar
        /// Value as displayed.
        public var text: String
        /// Color of the dot.
        public var role: Role

        /// Creates a row.
        ///
        /// - Parameter text: Value as displayed (default: formatted by ``Format``).
        public init(_ label: String, _ bar: IntervalBar, text: String? = nil, role: Role = .series1) {
            self.label = label
            self.bar = bar
            self.text = text ?? Format.compact(bar.value)
            self.role = role
        }
    }

    /// Rows from top to bottom.
    public var rows: [Row]
    /// Range of the scale (default: a range that covers all values and intervals).
    public var range: ClosedRange<Double>?

    /// Creates an interval chart.
    public init(_ rows: [Row], range: ClosedRange<Double>? = nil) {
        self.rows = rows
        self.range = range
    }

    /// Returns the range shown in `columns` columns: all values and intervals, extended to a round value at each end.
    public func shownRange(columns: Int) -> ClosedRange<Double> {
        if let range { return range }
        let values = rows.flatMap { [$0.bar.value, $0.bar.lower, $0.bar.upper].compactMap(\.self) }.filter(\.isFinite)
        guard let smallest = values.min(), let largest = values.max() else { return 0...1 }
        let air = largest > smallest ? 0 : max(0.05, abs(largest) * 0.05)
        return AxisScale.linear.widened((smallest - air)...(largest + air), atMost: columns / 8)
    }

    /// Minimum width of the scale if a label is longer than its share of the row.
    private static let minScaleColumns = 24

    /// Draws only labels and values, for areas without room for a scale.
    private func drawValues(into surface: inout Surface, in area: Rect, theme: Theme) {
        let texts = min(area.columns / 2, rows.prefix(area.rows).map { DisplayWidth.of($0.text) }.max() ?? 0)
        for (index, row) in rows.prefix(area.rows).enumerated() {
            let line = area.row + index
            surface.put(
                row.label, at: Point(column: area.column, row: line), style: theme[.text],
                width: max(0, area.columns - texts - 1))
            surface.put(
                row.text, at: Point(column: area.endColumn - texts, row: line), style: theme[row.role], width: texts,
                aligned: .right)
        }
    }

    /// Draws the rows that fit, with the scale in two lines below them if there is room for it.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows >= 3, area.columns >= 24 else { return drawValues(into: &surface, in: area, theme: theme) }
        var rest = area
        let axis = rest.takeBottom(2)
        let visible = rows.prefix(rest.rows)
        let texts = min(area.columns * 2 / 5, visible.map { DisplayWidth.of($0.text) }.max() ?? 0)
        // Show full labels if the scale stays wide enough to be legible.
        let limit = max(area.columns * 2 / 5, area.columns - texts - 4 - Self.minScaleColumns)
        let labels = min(limit, visible.map { DisplayWidth.of($0.label) }.max() ?? 0)
        var scale = Rect(column: area.column, row: axis.row, columns: area.columns, rows: 2)
        _ = scale.takeLeft(labels + 2)
        _ = scale.takeRight(texts + 2)
        guard scale.columns > 4 else { return drawValues(into: &surface, in: area, theme: theme) }
        let range = shownRange(columns: scale.columns)
        for (index, row) in visible.enumerated() {
            let line = rest.row + index
            surface.put(row.label, at: Point(column: area.column, row: line), style: theme[.text], width: labels)
            surface.put(
                row.text, at: Point(column: area.endColumn - texts, row: line), style: theme[.text], width: texts,
                aligned: .right)
            row.bar.draw(
                into: &surface, in: Rect(column: scale.column, row: line, columns: scale.columns, rows: 1),
                range: range, style: theme[row.role], whisker: theme[.dim], glyphs: theme.glyphs)
        }
        let line = min(axis.row, rest.row + visible.count)
        surface.fill(
            Rect(column: scale.column, row: line, columns: scale.columns, rows: 1), with: theme.glyphs.horizontal,
            style: theme[.border])
        for label in TickLabels(.linear, range, columns: scale.columns).labels {
            surface.put(
                theme.glyphs.teeDown, at: Point(column: scale.column + label.tick, row: line), style: theme[.border])
            surface.put(
                label.text, at: Point(column: scale.column + label.start, row: line + 1), style: theme[.dim])
        }
    }
}
