extension Tree {
    /// A row of a tree during drawing.
    public struct Row {
        /// Node in the row.
        public let node: Int
        /// Area of the row after its indent and marker.
        public let area: Rect
        /// State of the row, which determines its style.
        public let state: RowState

        /// Returns the style of a role in this row.
        public func style(_ role: Role, _ theme: Theme) -> Style { theme.style(role, in: state) }
    }

    /// Number of columns by which each level is indented.
    public static let indent = 2

    /// Draws the visible rows: the cursor, the indent, `▾` or `▸` for nodes with children, and the contents from the
    /// closure.
    ///
    /// The indent is at most half of the width, so that the rows of deep trees have room.
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
                    at: Point(column: mark, row: row.area.row), style: theme.style(.dim, in: row.state))
            }
            var content = row.area
            _ = content.takeLeft(mark + 2 - row.area.column)
            surface.clipped(to: content) { draw(&$0, Row(node: node, area: content, state: row.state)) }
        }
    }

    private func markColumn(of node: Int, in area: Rect) -> Int {
        area.column + min(shape.depth(of: node) * Self.indent, area.columns / 2)
    }

    /// Returns the node at a point in the area where the tree is drawn, and whether the point is on its marker.
    public func node(at point: Point, in area: Rect) -> (node: Int, isMark: Bool)? {
        guard let row = list.row(at: point, in: area) else { return nil }
        let node = node(atRow: row)
        var content = area
        _ = content.takeLeft(ListView.gutter)
        if content.columns > 1 { content.columns -= 1 }
        return (node, shape.hasChildren(node) && point.column == markColumn(of: node, in: content))
    }

    /// Sets the number of visible rows.
    public mutating func setHeight(_ rows: Int) { move { $0.height = rows } }
}
