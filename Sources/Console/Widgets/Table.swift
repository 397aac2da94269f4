/// Rows in columns under a header, with the selection and scrolling of a `ListView`.
///
/// Columns have minimums, weights and priorities: where the width is short, the least important columns vanish, and
/// what is left is shared out by weight.
public struct Table: Hashable, Sendable {
    public struct Column: Hashable, Sendable {
        public var title: String
        public var alignment: Alignment
        /// The columns it needs to be shown at all.
        public var minimum: Int
        /// Its share of what is left over; 0 keeps it at its minimum.
        public var weight: Double
        /// 0 is never left out; of the others the highest number goes first.
        public var priority: Int

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

    /// By which column the rows are sorted.
    public struct Sort: Hashable, Sendable {
        public var column: Int
        public var isAscending: Bool

        public init(column: Int, isAscending: Bool = true) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    /// The text of a cell and what it means.
    public struct Cell: Hashable, Sendable {
        public var text: String
        public var role: Role

        public init(_ text: String, _ role: Role = .text) {
            self.text = text
            self.role = role
        }
    }

    public var columns: [Column]
    public var sort: Sort?
    public var hasHeader: Bool
    /// Blanks between two columns.
    public var spacing: Int

    public init(_ columns: [Column], sort: Sort? = nil, hasHeader: Bool = true, spacing: Int = 2) {
        self.columns = columns
        self.sort = sort
        self.hasHeader = hasHeader
        self.spacing = spacing
    }

    /// Sorts by a column, or the other way round where that was so already.
    public mutating func toggleSort(_ column: Int) {
        guard columns.indices.contains(column) else { return }
        if sort?.column == column {
            sort?.isAscending.toggle()
        } else {
            sort = Sort(column: column)
        }
    }

    /// A column that is shown, and where it lies from the left of the rows.
    public struct Placed: Hashable, Sendable {
        public var column: Int
        public var offset: Int
        public var width: Int
    }

    /// The columns that are shown in so much width.
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

    /// The arrow of the sorted column must not cut its title.
    private func minimum(of index: Int) -> Int {
        let column = columns[index]
        return sort?.column == index ? max(column.minimum, DisplayWidth.of(column.title) + 2) : column.minimum
    }

    /// The area of the rows, below the header. An area of one line shows a row instead of the header.
    public func rowsArea(in area: Rect) -> Rect {
        var rest = area
        if showsHeader(in: area) { _ = rest.takeTop(1) }
        return rest
    }

    /// A header without rows is useless, so a single line shows a row.
    private func showsHeader(in area: Rect) -> Bool { hasHeader && area.rows > 1 }

    /// The column whose header is at a place; nil elsewhere.
    public func column(at point: Point, in area: Rect) -> Int? {
        guard showsHeader(in: area), area.contains(point), point.row == area.row else { return nil }
        let offset = point.column - area.column - ListView.gutter
        return layout(width: contentWidth(area)).first { offset >= $0.offset && offset < $0.offset + $0.width }?.column
    }

    /// The columns that have room in an area.
    public func shownColumns(in area: Rect) -> [Int] {
        layout(width: contentWidth(area)).filter { $0.width > 0 }.map(\.column)
    }

    private func contentWidth(_ area: Rect) -> Int {
        let width = area.columns - ListView.gutter
        return max(0, width > 1 ? width - 1 : width)
    }

    /// Draws the header and the rows in view. `cell` is asked for a row and the index of a column in `columns`.
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
                    style: theme.style(cell.role, in: row.look), width: place.width,
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
                // Before a right-aligned title, so that it stays flush with its numbers.
                let title = column.alignment == .right ? "\(arrow) \(name)" : "\(name) \(arrow)"
                surface.put(
                    title, at: point, style: style.overlaid(with: theme[.accent]), width: place.width,
                    aligned: column.alignment)
            }
        }
    }
}
