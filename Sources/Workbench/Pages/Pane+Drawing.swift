internal import Console

extension Pane {
    /// Draws border, content or empty state, and scroll bar.
    ///
    /// - Parameter hidden: Titles of panes without room, which the border names.
    func draw(
        _ page: P, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, hidden: [String]
    ) {
        var frame = frame(page)
        frame.isFocused = isFocused
        if page.screen.busy.contains(name) { frame.trailing.insert(FrameLabel("reading…", role: .dim), at: 0) }
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme, minRows: minRows, hidden: hidden)
        if let lines = empty(page) {
            for (row, line) in lines.enumerated() where row < inside.rows {
                surface.put(
                    line, at: Point(column: inside.column + 1, row: inside.row + row), style: theme[.dim],
                    width: inside.columns - 1)
            }
            return
        }
        draw(page, &surface, contentArea(in: area), theme, isFocused)
        switch content {
        case .list where !hasScrollBar: break
        case .list(let path): ScrollBar(page[keyPath: path]).draw(into: &surface, onBorderOf: area, theme: theme)
        case .text(let path):
            let text = page[keyPath: path]
            let isWhole = text.isAtTop && text.isAtEnd
            drawPlace(isWhole || !marksPlace ? nil : text.fraction, into: &surface, in: area, theme: theme)
        case .tree(let path):
            ScrollBar(page[keyPath: path].list).draw(into: &surface, onBorderOf: area, theme: theme)
        case .canvas:
            drawPlace(fraction?(page), into: &surface, in: area, theme: theme)
            bar?(page).draw(into: &surface, onBorderOf: area, theme: theme)
        }
    }

    /// Marks the place in a text on the border; its number of rows is unknown.
    private func drawPlace(_ fraction: Double?, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let fraction, Frame.inside(of: area, minRows: minRows).rows < area.rows else { return }
        let row = area.row + 1 + Int(fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
