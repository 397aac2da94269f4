/// A scroll bar at the right edge of a pane.
public struct ScrollBar: Hashable, Sendable {
    /// Total number of rows.
    public var count: Int
    /// First visible row.
    public var top: Int
    /// Number of visible rows.
    public var height: Int

    /// Creates a scroll bar for `height` of `count` rows, starting at `top`.
    public init(count: Int, top: Int, height: Int) {
        self.count = max(0, count)
        self.top = max(0, top)
        self.height = max(0, height)
    }

    /// Creates a scroll bar for a list.
    public init(_ list: ListView) {
        self.init(count: list.count, top: list.top, height: list.height)
    }

    /// Returns the rows of the thumb on a track; `nil` if all rows are visible.
    ///
    /// The thumb has at least one row and touches an end of the track only if the view does, unless the track is too
    /// short.
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

    /// Draws the thumb over the first column of an area, usually the right border of a frame.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty, let thumb = thumb(in: area.rows) else { return }
        for row in thumb {
            surface.put(
                theme.glyphs.scrollThumb, at: Point(column: area.column, row: area.row + row),
                style: theme[.scrollThumb])
        }
    }
}
