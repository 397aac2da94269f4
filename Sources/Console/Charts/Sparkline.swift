/// A row of columns whose heights are values: the shape of a series at a glance.
public struct Sparkline: Sendable {
    public var values: [Double]
    /// What an empty and a full column stand for; without it, 0 (or the least value below it) and the greatest.
    public var range: ClosedRange<Double>?

    public init(_ values: [Double], range: ClosedRange<Double>? = nil) {
        self.values = values
        self.range = range
    }

    /// Draws the values from the left; where there are more than columns, each column shows the greatest of its share.
    /// Values that are no numbers leave a gap, others than the least are seen.
    public func draw(into surface: inout Surface, in area: Rect, style: Style, theme: Theme) {
        guard !area.isEmpty, !values.isEmpty else { return }
        let steps = theme.glyphs.columns
        let finite = values.lazy.filter(\.isFinite)
        let lower = range?.lowerBound ?? min(0, finite.min() ?? 0)
        let upper = range?.upperBound ?? max(lower, finite.max() ?? 0)
        for column in 0..<min(area.columns, values.count) {
            guard let value = value(at: column, of: area.columns), upper > lower else { continue }
            // Halved, so that the greatest numbers there are have a difference.
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
