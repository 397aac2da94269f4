/// The extent of a surface or an area of it, in cells.
public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(_ columns: Int, _ rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A cell's place: zero-based, from the top left.
public struct Point: Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells. Its extent is never negative, so that taking more than there is leaves an empty area.
public struct Rect: Hashable, Sendable {
    public var column: Int
    public var row: Int
    public var columns: Int
    public var rows: Int

    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    public var size: Size { Size(columns, rows) }
    public var isEmpty: Bool { columns == 0 || rows == 0 }
    public var endColumn: Int { column + columns }
    public var endRow: Int { row + rows }
    public var origin: Point { Point(column: column, row: row) }

    public func contains(_ point: Point) -> Bool {
        point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
    }

    /// The part that both share; empty where they do not meet.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
    }

    /// The area inside a margin of so many cells.
    public func inset(columns dx: Int = 0, rows dy: Int = 0) -> Rect {
        Rect(
            column: column + min(dx, columns), row: row + min(dy, rows), columns: columns - 2 * dx, rows: rows - 2 * dy)
    }

    /// Cuts rows off the top; the receiver keeps the rest.
    public mutating func takeTop(_ count: Int) -> Rect {
        let taken = min(max(0, count), rows)
        defer {
            row += taken
            rows -= taken
        }
        return Rect(column: column, row: row, columns: columns, rows: taken)
    }

    /// Cuts rows off the bottom; the receiver keeps the rest.
    public mutating func takeBottom(_ count: Int) -> Rect {
        let taken = min(max(0, count), rows)
        rows -= taken
        return Rect(column: column, row: endRow, columns: columns, rows: taken)
    }

    /// Cuts columns off the left; the receiver keeps the rest.
    public mutating func takeLeft(_ count: Int) -> Rect {
        let taken = min(max(0, count), columns)
        defer {
            column += taken
            columns -= taken
        }
        return Rect(column: column, row: row, columns: taken, rows: rows)
    }

    /// Cuts columns off the right; the receiver keeps the rest.
    public mutating func takeRight(_ count: Int) -> Rect {
        let taken = min(max(0, count), columns)
        columns -= taken
        return Rect(column: endColumn, row: row, columns: taken, rows: rows)
    }
}
