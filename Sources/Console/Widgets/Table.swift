/// A table with a header, whose rows select and scroll like a ``ListView``.
///
/// Columns have minimum widths, weights, and priorities. If space is short, the least important columns are left out.
/// The remaining space is distributed by weight.
public struct Table: Hashable, Sendable {
    /// A column of a table.
    public struct Column: Hashable, Sendable {
        /// Title in the header.
        public var title: String
        /// Alignment of the title and the cells.
        public var alignment: Alignment
        /// Minimum width in terminal columns.
        public var minimum: Int
        /// Weight for the distribution of spare width; 0 for a fixed width.
        public var weight: Double
        /// Order of removal if space is short: highest number first. Columns with 0 always stay.
        public var priority: Int

        /// Creates a column.
        public init(
            _ title: String, alignment: Alignment = .left, minimum: Int, weight: Double = 0, priority: Int = 0
        ) {
            self.title = title
            self.alignment = alignment
            self.minimum = minimum
            self.weight = weight
            self.priority = priority
        }
    }

    /// A sort order.
    public struct Sort: Hashable, Sendable {
        /// Index of the sorted column.
        public var column: Int
        /// Whether the order is ascending.
        public var isAscending: Bool

        /// Creates a sort order.
        public init(column: Int, isAscending: Bool = true) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    /// The text of a cell, with its role.
    public struct Cell: Hashable, Sendable {
        /// Text of the cell.
        public var text: String
        /// Role of the text.
        public var role: Role

        /// Creates a cell.
        public init(_ text: String, _ role: Role = .text) {
            self.text = text
            self.role = role
        }
    }

    /// Columns from left to right.
    public var columns: [Column]
    /// Current sort order; `nil` if the rows are not sorted by a column.
    public var sort: Sort?
    /// Whether the table has a header.
    public var hasHeader: Bool
    /// Number of blanks between columns.
    public var spacing: Int

    /// Creates a table.
    public init(_ columns: [Column], sort: Sort? = nil, hasHeader: Bool = true, spacing: Int = 2) {
        self.columns = columns
        self.sort = sort
        self.hasHeader = hasHeader
        self.spacing = spacing
    }

    /// Sorts rows by a column, or reverses the order if the table is already sorted by it.
    public mutating func toggleSort(_ column: Int) {
        guard columns.indices.contains(column) else { return }
        if sort?.column == column {
            sort?.isAscending.toggle()
        } else {
            sort = Sort(column: column)
        }
    }

    /// A visible column and its position in the row.
    public struct Placed: Hashable, Sendable {
        /// Index of the column.
        public var column: Int
        /// Number of terminal columns to the left.
        public var offset: Int
        /// Width in terminal columns.
        public var width: Int
    }

    /// Returns the visible columns and their positions for a width.
    public func layout(width: Int) -> [Placed] {
        var shown = Array(columns.indices)
        func needed() -> Int {
            shown.reduce(0) { $0 + minimum(of: $1) } + spacing * max(0, shown.count - 1)
        }
        while needed() > width,
            let least = shown.filter({ columns[$0].priority > 0 }).max(by: {
                (columns[$0].priority, $0) < (columns[$1].priority, $1)
            })
        {
            shown.removeAll { $0 == least }
        }
        let extents = shown.map { index -> Extent in
            let (weight, minimum) = (columns[index].weight, minimum(of: index))
            return weight > 0 ? .weight(weight, minimum: minimum) : .fixed(minimum)
        }
        let widths = Layout.divide(width, extents, spacing: spacing)
        var offset = 0
        return zip(shown, widths).map { index, width in
            defer { offset += width + spacing }
            return Placed(column: index, offset: offset, width: width)
        }
    }

    /// Returns the minimum width of a column, including room for the sort arrow after its title.
    private func minimum(of index: Int) -> Int {
        let column = columns[index]
        return sort?.column == index ? max(column.minimum, DisplayWidth.of(column.title) + 2) : column.minimum
    }

    /// Returns the area of the rows below the header. An area of one line shows a row instead of the header.
    public func rowsArea(in area: Rect) -> Rect {
        var rest = area
        if showsHeader(in: area) { _ = rest.takeTop(1) }
        return rest
    }

    /// Returns whether the header is visible; a single line shows a row instead.
    private func showsHeader(in area: Rect) -> Bool { hasHeader && area.rows > 1 }

    /// Returns the column whose header is at a point; `nil` elsewhere.
    public func column(at point: Point, in area: Rect) -> Int? {
        guard showsHeader(in: area), area.contains(point), point.row == area.row else { return nil }
        let offset = point.column - area.column - ListView.gutter
        return layout(width: contentWidth(area)).first { offset >= $0.offset && offset < $0.offset + $0.width }?.column
    }

    /// Returns the indices of the columns that fit in an area.
    public func shownColumns(in area: Rect) -> [Int] {
        layout(width: contentWidth(area)).filter { $0.width > 0 }.map(\.column)
    }

    private func contentWidth(_ area: Rect) -> Int {
        let width = area.columns - ListView.gutter
        return max(0, width > 1 ? width - 1 : width)
    }

    /// Draws the header and the visible rows.
    ///
    /// - Parameter cell: Returns the cell of a row and a column; the column is an index into `columns`.
    public func draw(
        _ list: ListView, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool,
        cell: (_ row: Int, _ column: Int) -> Cell
    ) {
        guard !area.isEmpty else { return }
        let placed = layout(width: contentWidth(area))
        if showsHeader(in: area) { drawHeader(placed, into: &surface, in: area, theme: theme) }
        list.draw(into: &surface, in: rowsArea(in: area), theme: theme, isFocused: isFocused) { surface, row in
            for place in placed where place.width > 0 {
                let cell = cell(row.index, place.column)
                surface.put(
                    cell.text, at: Point(column: row.area.column + place.offset, row: row.area.row),
                    style: theme.style(cell.role, in: row.state), width: place.width,
                    aligned: columns[place.column].alignment)
            }
        }
    }

    private func drawHeader(_ placed: [Placed], into surface: inout Surface, in area: Rect, theme: Theme) {
        let style = theme[.columnHeader]
        surface.clipped(to: Rect(column: area.column, row: area.row, columns: area.columns, rows: 1)) { surface in
            for place in placed where place.width > 0 {
                let column = columns[place.column]
                let point = Point(column: area.column + ListView.gutter + place.offset, row: area.row)
                guard let sort, sort.column == place.column else {
                    surface.put(
                        column.title, at: point, style: style, width: place.width, aligned: column.alignment)
                    continue
                }
                let arrow = sort.isAscending ? theme.glyphs.ascending : theme.glyphs.descending
                let name = column.title.truncated(toColumns: max(1, place.width - 2))
                // Put the arrow before a right-aligned title, so that the title stays aligned with its numbers.
                let title = column.alignment == .right ? "\(arrow) \(name)" : "\(name) \(arrow)"
                surface.put(
                    title, at: point, style: style.overlaid(with: theme[.accent]), width: place.width,
                    aligned: column.alignment)
            }
        }
    }
}
