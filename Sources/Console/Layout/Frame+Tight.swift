extension Frame {
    /// Below so many rows an area has no border: what the pane holds is worth more than its lines.
    private static let fewestRows = 5

    /// The area that a pane has for its content: inside the border, or all of it where there is room for no border.
    public static func inside(of area: Rect) -> Rect {
        area.rows < fewestRows ? area : area.inset(columns: 1, rows: 1)
    }

    /// Draws the border where there is room for one, and returns the area for the content.
    public func drawWhereRoom(into surface: inout Surface, in area: Rect, theme: Theme) -> Rect {
        if area.rows >= Self.fewestRows { draw(into: &surface, in: area, theme: theme) }
        return Self.inside(of: area)
    }

    /// Says which panes have no room beside this one now: `Tab: Layers, Overview`.
    public mutating func note(hidden: [String]) {
        guard !hidden.isEmpty else { return }
        trailing.insert(FrameLabel("Tab: \(hidden.joined(separator: ", "))", role: .dim), at: 0)
    }
}
