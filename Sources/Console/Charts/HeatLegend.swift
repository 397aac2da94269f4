/// A one-row legend of a heatmap's colors: `0 ░▒▓█ 0.83   1 cell = 64 × 64, max`.
public struct HeatLegend: Hashable, Sendable {
    /// Scale of the heatmap.
    public var scale: HeatScale
    /// Text after the color bar, such as the size of a cell.
    public var note: String

    /// Creates a legend.
    public init(_ scale: HeatScale, note: String = "") {
        self.scale = scale
        self.note = note
    }

    /// Length of the color bar, in cells.
    private static let length = 9

    /// Draws the legend in the first row of an area.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let palette = HeatPalette(theme)
        let ends = scale.ends
        var column = area.column
        func put(_ text: String, _ role: Role) {
            guard column < area.endColumn else { return }
            column += surface.put(
                text, at: Point(column: column, row: area.row), style: theme[role], width: area.endColumn - column)
        }
        put(ends.least + " ", .dim)
        for share in scale.steps(Self.length) where column < area.endColumn {
            let place = Point(column: column, row: area.row)
            if palette.isColored {
                let color = palette.color(of: share, on: scale.unit)
                surface.put(" ", at: place, style: Style(background: color ?? .terminal))
            } else {
                surface.put(palette.glyph(share), at: place, style: theme[.text])
            }
            column += 1
        }
        put(" " + ends.greatest, .dim)
        if let remark = scale.remark { put(" \(remark)", .dim) }
        if !note.isEmpty {
            column += 3
            put(note, .dim)
        }
    }
}
