/// A scrolling list of rows with one selected row.
///
/// A closure draws the visible rows, so a list can have ten million rows without cost.
/// - Complexity: O(1) for every operation; drawing is O(n) in the number of visible rows.
public struct ListView: Hashable, Sendable {
    /// Number of rows. If it shrinks, the selection stays within the rows.
    public var count: Int {
        didSet { normalize() }
    }
    /// Index of the selected row; 0 if there are no rows.
    public private(set) var selection = 0
    /// Index of the first visible row.
    public private(set) var top = 0
    /// Number of visible rows. Set it when the area changes.
    public var height: Int {
        didSet { normalize() }
    }
    /// Number of rows that stay visible above and below the selection.
    public var context: Int {
        didSet { normalize() }
    }

    /// Creates a list.
    public init(count: Int = 0, selection: Int = 0, height: Int = 0, context: Int = 2) {
        self.count = max(0, count)
        self.height = max(0, height)
        self.context = max(0, context)
        self.selection = selection
        normalize()
    }

    /// Whether the list has no rows.
    public var isEmpty: Bool { count == 0 }

    /// Range of visible rows; empty if the height is 0.
    public var visible: Range<Int> {
        let first = min(top, count)
        return first..<first + max(0, min(height, count - first))
    }

    /// Selects a row, or the nearest one if it does not exist.
    public mutating func select(_ row: Int) {
        selection = row
        normalize()
    }

    /// Moves the selection by a number of rows, stopping at the ends.
    public mutating func move(by rows: Int) {
        let (sum, overflow) = selection.addingReportingOverflow(rows)
        select(overflow ? (rows < 0 ? 0 : count - 1) : sum)
    }

    /// Moves the selection by pages and keeps it at the same position on the screen.
    public mutating func movePages(_ pages: Int) {
        let rows = pages.multipliedReportingOverflow(by: max(1, height - context))
        let step = rows.overflow ? (pages < 0 ? -count : count) : max(-count, min(count, rows.partialValue))
        top = min(max(0, top + step), max(0, count - height))
        move(by: step)
    }

    /// Selects the first row.
    public mutating func moveToStart() { select(0) }
    /// Selects the last row.
    public mutating func moveToEnd() { select(count - 1) }

    /// Scrolls like a mouse wheel, and moves the selection only to keep it visible.
    public mutating func scroll(by rows: Int) {
        top = min(max(0, top + max(-count, min(count, rows))), max(0, count - height))
        let margin = margin
        let first = top == 0 ? 0 : top + margin
        let last = height >= count - top ? count - 1 : top + height - 1 - margin
        selection = max(first, min(selection, last))
        normalize()
    }

    /// Scrolls the selection to the middle of the visible rows.
    public mutating func center() {
        top = selection - height / 2
        normalize()
    }

    /// Returns the row at a point in the area where the list is drawn; `nil` if there is no row.
    public func row(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point) else { return nil }
        let row = fitted(to: area.rows).top + point.row - area.row
        return row < count ? row : nil
    }

    /// Number of context rows, reduced so that at least one row fits between the margins.
    private var margin: Int { max(0, min(context, (height - 1) / 2)) }

    /// Restores the invariants: the selection exists and is visible with its context, and no row stays empty
    /// needlessly.
    private mutating func normalize() {
        if count < 0 { count = 0 }
        selection = max(0, min(selection, count - 1))
        // Limit `top` even if a small window leaves no height, because the number of rows may have shrunk.
        top = max(0, min(top, count - 1))
        guard height > 0 else { return }
        let lowest = selection + margin - height + 1
        let highest = selection - margin
        top = max(lowest, min(top, highest))
        top = max(0, min(top, count - height))
    }

    /// Returns the list with another height.
    func fitted(to rows: Int) -> ListView {
        guard rows != height else { return self }
        var list = self
        list.height = rows
        return list
    }
}

extension ListView {
    /// A row during drawing.
    public struct Row {
        /// Index of the row.
        public let index: Int
        /// Area of the row after the gutter.
        public let area: Rect
        /// State of the row, which determines its style.
        public let state: RowState

        /// Returns the style of a role in this row.
        public func style(_ role: Role, _ theme: Theme) -> Style { theme.style(role, in: state) }
    }

    /// Number of columns at the left that show the cursor.
    public static let gutter = 2

    /// Draws the visible rows: the bar and background of the cursor, then the contents from the closure.
    ///
    /// One column at the right stays empty if there is room.
    public func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool,
        row draw: (inout Surface, Row) -> Void
    ) {
        guard !area.isEmpty else { return }
        let list = fitted(to: area.rows)
        for index in list.visible {
            let line = Rect(column: area.column, row: area.row + index - list.top, columns: area.columns, rows: 1)
            let state: RowState = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
            if state != .plain {
                let style = theme.style(.text, in: state)
                surface.fill(line, style: style)
                if isFocused {
                    surface.put(
                        theme.glyphs.cursorBar, at: line.origin, style: theme.style(.accent, in: state))
                }
            }
            var content = line
            _ = content.takeLeft(Self.gutter)
            if content.columns > 1 { content.columns -= 1 }
            surface.clipped(to: content) { draw(&$0, Row(index: index, area: content, state: state)) }
        }
    }
}
