/// A list of rows of which one is selected and only those in view exist.
///
/// The rows themselves are drawn by a closure, so that ten million of them cost nothing; every operation is O(1), and
/// drawing is O(rows in view).
public struct ListView: Hashable, Sendable {
    /// How many rows there are; the selection follows when they become fewer.
    public var count: Int {
        didSet { normalize() }
    }
    /// The selected row; 0 when there are none.
    public private(set) var selection = 0
    /// The first row in view.
    public private(set) var top = 0
    /// How many rows are in view; set it when the area changes.
    public var height: Int {
        didSet { normalize() }
    }
    /// How many rows are kept in view above and below the selection.
    public var context: Int {
        didSet { normalize() }
    }

    public init(count: Int = 0, selection: Int = 0, height: Int = 0, context: Int = 2) {
        self.count = max(0, count)
        self.height = max(0, height)
        self.context = max(0, context)
        self.selection = selection
        normalize()
    }

    public var isEmpty: Bool { count == 0 }

    /// The rows in view; none where the area has no height.
    public var visible: Range<Int> {
        let first = min(top, count)
        return first..<first + max(0, min(height, count - first))
    }

    public mutating func select(_ row: Int) {
        selection = row
        normalize()
    }

    /// Moves the selection, stopping at the ends.
    public mutating func move(by rows: Int) {
        let (sum, overflow) = selection.addingReportingOverflow(rows)
        select(overflow ? (rows < 0 ? 0 : count - 1) : sum)
    }

    /// Moves by so many pages, keeping the selection's place on the screen.
    public mutating func movePages(_ pages: Int) {
        let rows = pages.multipliedReportingOverflow(by: max(1, height - context))
        let step = rows.overflow ? (pages < 0 ? -count : count) : max(-count, min(count, rows.partialValue))
        top = min(max(0, top + step), max(0, count - height))
        move(by: step)
    }

    public mutating func moveToStart() { select(0) }
    public mutating func moveToEnd() { select(count - 1) }

    /// Scrolls the view and keeps the selection in it, as a wheel does.
    public mutating func scroll(by rows: Int) {
        top = min(max(0, top + max(-count, min(count, rows))), max(0, count - height))
        let margin = margin
        let first = top == 0 ? 0 : top + margin
        let last = height >= count - top ? count - 1 : top + height - 1 - margin
        selection = max(first, min(selection, last))
        normalize()
    }

    /// Brings the selection to the middle of the view.
    public mutating func center() {
        top = selection - height / 2
        normalize()
    }

    /// The row at a place of the area in which the list is drawn; nil where there is none.
    public func row(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point) else { return nil }
        let row = fitted(to: area.rows).top + point.row - area.row
        return row < count ? row : nil
    }

    /// The context that leaves room for at least one row between.
    private var margin: Int { max(0, min(context, (height - 1) / 2)) }

    /// Restores what always holds: the selection exists and is in view with its context, and no row is wasted.
    private mutating func normalize() {
        if count < 0 { count = 0 }
        selection = max(0, min(selection, count - 1))
        // Also without a height, which a small window leaves none of: the rows may have become fewer.
        top = max(0, min(top, count - 1))
        guard height > 0 else { return }
        let lowest = selection + margin - height + 1
        let highest = selection - margin
        top = max(lowest, min(top, highest))
        top = max(0, min(top, count - height))
    }

    /// The list with the height that an area has.
    func fitted(to rows: Int) -> ListView {
        guard rows != height else { return self }
        var list = self
        list.height = rows
        return list
    }
}

extension ListView {
    /// A row that is being drawn.
    public struct Row {
        public let index: Int
        /// Where it is drawn, behind the gutter.
        public let area: Rect
        public let look: RowLook

        /// How a role looks in this row.
        public func style(_ role: Role, _ theme: Theme) -> Style { theme.style(role, in: look) }
    }

    /// The columns at the left that show the cursor.
    public static let gutter = 2

    /// Draws the rows in view: the cursor's bar and background, then what the closure draws.
    ///
    /// A column at the right stays free where there is room.
    public func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool,
        row draw: (inout Surface, Row) -> Void
    ) {
        guard !area.isEmpty else { return }
        let list = fitted(to: area.rows)
        for index in list.visible {
            let line = Rect(column: area.column, row: area.row + index - list.top, columns: area.columns, rows: 1)
            let look: RowLook = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
            if look != .plain {
                let style = theme.style(.text, in: look)
                surface.fill(line, style: style)
                if isFocused {
                    surface.put(
                        theme.glyphs.cursorBar, at: line.origin, style: theme.style(.accent, in: look))
                }
            }
            var content = line
            _ = content.takeLeft(Self.gutter)
            if content.columns > 1 { content.columns -= 1 }
            surface.clipped(to: content) { draw(&$0, Row(index: index, area: content, look: look)) }
        }
    }
}
