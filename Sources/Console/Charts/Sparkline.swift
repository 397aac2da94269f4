/// A sparkline: a small column chart that shows the shape of a series.
public struct Sparkline: Sendable {
    /// Heights of the columns.
    public var values: [Double]
    /// Values that an empty and a full column represent (default: 0, or the minimum if negative, to the maximum).
    public var range: ClosedRange<Double>?

    /// Creates a sparkline.
    public init(_ values: [Double], range: ClosedRange<Double>? = nil) {
        self.values = values
        self.range = range
    }

    /// Draws the values from the left. If there are more values than columns, each column shows the maximum of its
    /// values.
    ///
    /// NaN and infinite values leave a gap. Values above the lower limit are always visible.
    public func draw(into surface: inout Surface, in area: Rect, style: Style, theme: Theme) {
        guard !area.isEmpty, !values.isEmpty else { return }
        let steps = theme.glyphs.columns
        let finite = values.lazy.filter(\.isFinite)
        let lower = range?.lowerBound ?? min(0, finite.min() ?? 0)
        let upper = range?.upperBound ?? max(lower, finite.max() ?? 0)
        for column in 0..<min(area.columns, values.count) {
            guard let value = value(at: column, of: area.columns), upper > lower else { continue }
            // Halve both terms first, because the difference between two huge numbers would overflow.
            let share = min(1, max(0, (value / 2 - lower / 2) / (upper / 2 - lower / 2)))
            var level = Int((share * Double(area.rows * steps.count)).rounded())
            if value > lower { level = max(1, level) }
            for row in 0..<area.rows where level > row * steps.count {
                let glyph = steps[min(steps.count, level - row * steps.count) - 1]
                surface.put(
                    String(Character(glyph)), at: Point(column: area.column + column, row: area.endRow - 1 - row),
                    style: style)
            }
        }
    }

    private func value(at column: Int, of columns: Int) -> Double? {
        guard values.count > columns else { return values[column].isFinite ? values[column] : nil }
        let share = values[column * values.count / columns..<(column + 1) * values.count / columns]
        return share.lazy.filter(\.isFinite).max()
    }
}
