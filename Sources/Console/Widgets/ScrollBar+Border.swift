extension ScrollBar {
    /// Draws the thumb on the right border of a pane, between its corners. A pane too short for a border has no thumb.
    ///
    /// - Parameter area: Area of the pane including its border, as for `Frame.drawIfRoom`.
    public func draw(into surface: inout Surface, onBorderOf area: Rect, theme: Theme) {
        let inside = Frame.inside(of: area)
        guard inside.rows < area.rows else { return }
        let border = Rect(column: area.endColumn - 1, row: inside.row, columns: 1, rows: inside.rows)
        draw(into: &surface, in: border, theme: theme)
    }
}
