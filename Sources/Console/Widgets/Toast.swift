/// A sentence that appears in a corner and goes away by itself.
public struct Toast: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case info, success, warning, failure
    }

    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    private var role: Role {
        switch kind {
        case .info: .info
        case .success: .success
        case .warning: .warning
        case .failure: .failure
        }
    }

    private func mark(_ glyphs: Glyphs) -> Unicode.Scalar {
        switch kind {
        case .info: glyphs.bullet
        case .success: glyphs.check
        case .warning: "!"
        case .failure: glyphs.failed
        }
    }

    private static func rowCount(of body: TextView, upTo most: Int) -> Int {
        guard var cursor = body.cursor(at: TextPosition(offset: 0)) else { return 1 }
        var rows = 1
        while rows < most, body.move(&cursor, by: 1) { rows += 1 }
        return rows
    }

    /// Draws it at the bottom right of an area; a long sentence takes several rows, so that its remedy is seen.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        guard screen.columns > 12, screen.rows >= 3 else { return }
        let columns = min(screen.columns, max(40, screen.columns * 3 / 4), DisplayWidth.of(text) + 6)
        var body = TextView([TextSection(StyledLine(text, .text))])
        body.layout(Size(columns - 6, 1))
        let rows = min(screen.rows - 2, Self.rowCount(of: body, upTo: 6))
        body.layout(Size(columns - 6, rows))
        let area = Rect(
            column: screen.endColumn - columns, row: screen.endRow - rows - 2, columns: columns, rows: rows + 2)
        let style = theme[.popup].overlaid(with: theme[role])
        surface.fill(area, style: theme[.popup])
        surface.box(area, style: style, glyphs: theme.glyphs)
        surface.put(mark(theme.glyphs), at: Point(column: area.column + 2, row: area.row + 1), style: style)
        var look = theme
        look[.text] = theme[.popup]
        body.draw(
            into: &surface, in: Rect(column: area.column + 4, row: area.row + 1, columns: columns - 6, rows: rows),
            theme: look)
    }
}
