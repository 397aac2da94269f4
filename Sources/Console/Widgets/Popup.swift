/// A box in the middle of the screen.
public struct Popup: Hashable, Sendable {
    /// Frame with the title.
    public var frame: Frame
    /// Desired size of the content, which a small screen reduces.
    public var content: Size

    /// Creates a pop-up.
    public init(_ title: FrameLabel, content: Size, details: [FrameLabel] = [], trailing: [FrameLabel] = []) {
        frame = Frame(title, details: details, trailing: trailing, isFocused: true)
        self.content = content
    }

    /// Returns the area of the box, including the border and one empty column at each side.
    public func area(in screen: Rect) -> Rect {
        let columns = min(screen.columns, content.columns + 4)
        let rows = min(screen.rows, content.rows + 2)
        return Rect(
            column: screen.column + (screen.columns - columns) / 2, row: screen.row + (screen.rows - rows) / 2,
            columns: columns, rows: rows)
    }

    /// Clears the area, draws the border, and returns the area for the content.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) -> Rect {
        let area = area(in: screen)
        surface.fill(area, style: theme[.popup])
        var look = theme
        look[.borderFocused] = theme[.popup].overlaid(with: theme[.popupBorder])
        return frame.draw(into: &surface, in: area, theme: look).inset(columns: 1)
    }

    /// Draws key hints on the lower border of a box.
    ///
    /// - Parameter inside: Area returned by `draw(into:in:theme:)`.
    static func drawHints(_ hints: [KeyHint], into surface: inout Surface, below inside: Rect, theme: Theme) {
        var column = inside.column + 1
        for hint in Footer(hints).fitting(inside.columns - 4) {
            let point = Point(column: column, row: inside.endRow)
            let key = surface.put(" \(hint.key) ", at: point, style: theme[.popup].overlaid(with: theme[.key]))
            column += key
            column += surface.put(
                "\(hint.text) ", at: Point(column: column, row: inside.endRow), style: theme[.popup])
        }
    }
}
