/// A message that replaces the footer for a while; a long message also covers up to three rows above the footer.
public struct Toast: Hashable, Sendable {
    /// Kinds of messages.
    public enum Kind: Hashable, Sendable {
        /// Information, success, warning, or failure.
        case info, success, warning, failure
    }

    /// Kind of the message.
    public var kind: Kind
    /// Text of the message.
    public var text: String

    /// Creates a message.
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

    /// Draws the message over the last rows of an area: one row if it fits, up to four if it is long.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        guard screen.columns > 8, screen.rows > 0 else { return }
        var body = TextView([TextSection(StyledLine(text, .text))])
        body.layout(Size(screen.columns - 4, 1))
        let rows = min(screen.rows, body.rowCount(upTo: 4))
        body.layout(Size(screen.columns - 4, rows))
        let area = Rect(column: screen.column, row: screen.endRow - rows, columns: screen.columns, rows: rows)
        surface.fill(area, style: theme[.popup])
        surface.put(
            mark(theme.glyphs), at: Point(column: area.column + 1, row: area.row),
            style: theme[.popup].overlaid(with: theme[role]))
        var look = theme
        look[.text] = theme[.popup]
        let place = Rect(column: area.column + 3, row: area.row, columns: screen.columns - 4, rows: rows)
        body.draw(into: &surface, in: place, theme: look)
    }
}
