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

    /// Draws it at the bottom right of an area, in three rows of which the text has the middle one.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let columns = min(screen.columns, DisplayWidth.of(text) + 6)
        guard columns > 6, screen.rows >= 3 else { return }
        let area = Rect(
            column: screen.endColumn - columns, row: screen.endRow - 3, columns: columns, rows: 3)
        let style = theme[.popup].overlaid(with: theme[role])
        surface.fill(area, style: theme[.popup])
        surface.box(area, style: style, glyphs: theme.glyphs)
        surface.put(mark(theme.glyphs), at: Point(column: area.column + 2, row: area.row + 1), style: style)
        surface.put(
            text, at: Point(column: area.column + 4, row: area.row + 1), style: theme[.popup], width: columns - 6)
    }
}
