extension Tree {
    /// A row of a tree that is being drawn.
    public struct Row {
        public let node: Int
        /// Where it is drawn, behind its indent and mark.
        public let area: Rect
        public let look: RowLook

        public func style(_ role: Role, _ theme: Theme) -> Style { theme.style(role, in: look) }
    }

    /// Columns that a level is set in.
    public static let indent = 2

    /// Draws the rows in view: the cursor, the indent, `▾` or `▸` where there are children, then what the closure draws.
    ///
    /// Deep trees are set in up to half of the width, so that every row has room.
    public func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool,
        row draw: (inout Surface, Row) -> Void
    ) {
        list.draw(into: &surface, in: area, theme: theme, isFocused: isFocused) { surface, row in
            let node = node(atRow: row.index)
            let mark = markColumn(of: node, in: row.area)
            if shape.hasChildren(node) {
                surface.put(
                    isClosed(node) ? theme.glyphs.collapsed : theme.glyphs.expanded,
                    at: Point(column: mark, row: row.area.row), style: theme.style(.dim, in: row.look))
            }
            var content = row.area
            _ = content.takeLeft(mark + 2 - row.area.column)
            surface.clipped(to: content) { draw(&$0, Row(node: node, area: content, look: row.look)) }
        }
    }

    private func markColumn(of node: Int, in area: Rect) -> Int {
        area.column + min(shape.depth(of: node) * Self.indent, area.columns / 2)
    }

    /// The node at a place of the area in which the tree is drawn, and whether it is its mark that was hit.
    public func node(at point: Point, in area: Rect) -> (node: Int, isMark: Bool)? {
        guard let row = list.row(at: point, in: area) else { return nil }
        let node = node(atRow: row)
        var content = area
        _ = content.takeLeft(ListView.gutter)
        if content.columns > 1 { content.columns -= 1 }
        return (node, shape.hasChildren(node) && point.column == markColumn(of: node, in: content))
    }

    /// Sets how many rows are in view.
    public mutating func setHeight(_ rows: Int) { move { $0.height = rows } }
}
