extension FileBrowser {
    /// Draws the list centered on the screen, with the preview to its right if the screen is wide enough.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let parts = parts(of: screen)
        chooser.draw(into: &surface, in: parts.list, theme: theme)
        guard let area = parts.preview, let preview else { return }
        let name = preview.path.split(separator: "/").last.map(String.init) ?? preview.path
        let cursor = surface.cursor
        // Cover the gap between the two boxes, so that the panel does not show through.
        let gap = Rect(column: area.column - 1, row: area.row, columns: 1, rows: area.rows)
        surface.fill(gap, style: theme[.popup])
        var inside = Popup(FrameLabel(name), content: Size(area.columns - 4, area.rows - 2))
            .draw(into: &surface, in: area, theme: theme)
        for line in preview.lines.prefix(inside.rows) {
            let row = inside.takeTop(1)
            surface.put(line, at: row.origin, style: theme[.popup].overlaid(with: theme[.dim]), width: row.columns)
        }
        surface.cursor = cursor
    }

    /// Returns the areas of the list and, on wide screens, of the preview.
    func parts(of screen: Rect) -> (list: Rect, preview: Rect?) {
        guard screen.columns >= 110 else { return (screen, nil) }
        var rest = screen.inset(columns: max(2, (screen.columns - 180) / 2), rows: 0)
        let list = rest.takeLeft(rest.columns * 11 / 20)
        let box = chooser.box(in: list)
        return (
            list,
            Rect(column: box.endColumn + 1, row: box.row, columns: rest.endColumn - box.endColumn - 1, rows: box.rows)
        )
    }
}
