extension Frame {
    /// Minimum number of rows for a border; smaller areas leave all their room to the content.
    public static let minRows = 5

    /// Returns the area for a pane's content: inside the border, or the entire area if there is no room for a border.
    public static func inside(of area: Rect, minRows: Int = minRows) -> Rect {
        area.rows < minRows ? area : area.inset(columns: 1, rows: 1)
    }

    /// Draws the border if there is room for one, and returns the area for the content.
    ///
    /// - Parameters:
    ///   - minRows: Minimum number of rows for a border.
    ///   - hidden: Names of panes that do not fit on the screen, listed in the border: `Tab: Layers, Overview`.
    public func drawIfRoom(
        into surface: inout Surface, in area: Rect, theme: Theme, minRows: Int = minRows, hidden: [String] = []
    ) -> Rect {
        guard area.rows >= minRows else { return Self.inside(of: area, minRows: minRows) }
        var frame = self
        if !hidden.isEmpty {
            frame.trailing.insert(FrameLabel("Tab: \(hidden.joined(separator: ", "))", role: .dim), at: 0)
        }
        frame.draw(into: &surface, in: area, theme: theme)
        return Self.inside(of: area, minRows: minRows)
    }
}
