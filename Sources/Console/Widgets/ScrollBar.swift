/// Which part of something long is in view, at the right edge of its pane.
public struct ScrollBar: Hashable, Sendable {
    public var count: Int
    public var top: Int
    public var height: Int

    /// A view of `height` of `count` rows from `top` on.
    public init(count: Int, top: Int, height: Int) {
        self.count = max(0, count)
        self.top = max(0, top)
        self.height = max(0, height)
    }

    public init(_ list: ListView) {
        self.init(count: list.count, top: list.top, height: list.height)
    }

    /// The rows of the thumb in a track of so many rows: at least one, at an end only when the view is there; nil where
    /// all is in view.
    public func thumb(in rows: Int) -> Range<Int>? {
        guard count > height, height > 0, rows > 0 else { return nil }
        let length = max(1, min(rows - 1, Int((Double(rows) * Double(height) / Double(count)).rounded())))
        let places = max(0, rows - length)
        let last = count - height
        let top = min(top, last)
        var start = Int((Double(places) * Double(top) / Double(last)).rounded())
        if top > 0, start == 0, places > 1 { start = 1 }
        if top < last, start == places, places > 1 { start = places - 1 }
        return start..<start + max(1, length)
    }

    /// Draws the thumb over the first column of an area, over what is there: usually the right border of a frame.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty, let thumb = thumb(in: area.rows) else { return }
        for row in thumb {
            surface.put(
                theme.glyphs.scrollThumb, at: Point(column: area.column, row: area.row + row),
                style: theme[.scrollThumb])
        }
    }
}
