/// A chart of horizontal bars for comparing values: a label, a bar, and a value per row.
public struct BarChart: Sendable {
    /// A row of a bar chart.
    public struct Row: Hashable, Sendable {
        /// Text at the left.
        public var label: String
        /// Value that determines the length of the bar.
        public var value: Double
        /// Value as displayed, with its unit.
        public var text: String
        /// Color of the bar.
        public var role: Role

        /// Creates a row.
        ///
        /// - Parameter text: Value as displayed (default: formatted by ``AxisLabel``).
        public init(_ label: String, _ value: Double, text: String? = nil, role: Role = .series1) {
            self.label = label
            self.value = value
            self.text = text ?? AxisLabel.text(value)
            self.role = role
        }
    }

    /// Rows from top to bottom.
    public var rows: [Row]
    /// Value of a full-length bar (default: the largest value among the visible rows).
    public var full: Double?
    /// Shape of the bars.
    public var shape: BarShape

    /// Creates a bar chart.
    public init(_ rows: [Row], full: Double? = nil, shape: BarShape = .fine) {
        self.rows = rows
        self.full = full
        self.shape = shape
    }

    /// Draws the rows that fit, from the top.
    ///
    /// Labels take at most two fifths of the width; values are aligned at the right edge. A bar that exceeds `full`
    /// ends with an arrow. Values that are not finite, and values of 0 or less, have no bar.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let visible = rows.prefix(area.rows)
        let labels = min(area.columns * 2 / 5, visible.map { DisplayWidth.of($0.label) }.max() ?? 0)
        let texts = min(area.columns * 2 / 5, visible.map { DisplayWidth.of($0.text) }.max() ?? 0)
        let full = full ?? visible.lazy.map(\.value).filter(\.isFinite).max() ?? 0
        for (index, row) in visible.enumerated() {
            var line = Rect(column: area.column, row: area.row + index, columns: area.columns, rows: 1)
            let label = line.takeLeft(labels)
            surface.put(row.label, at: label.origin, style: theme[.text], width: label.columns)
            let text = line.takeRight(texts)
            surface.put(row.text, at: text.origin, style: theme[.text], width: text.columns, aligned: .right)
            let bar = line.inset(columns: 1)
            guard row.value.isFinite, row.value > 0, full > 0, !bar.isEmpty else { continue }
            let length = row.value / full * Double(bar.columns)
            surface.putBar(
                length: min(length, Double(bar.columns)), in: bar, role: row.role, shape: shape, theme: theme)
            if row.value > full {
                surface.put(
                    theme.glyphs.right, at: Point(column: bar.endColumn - 1, row: bar.row), style: theme[row.role])
            }
        }
    }
}
