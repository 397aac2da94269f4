/// The size of a surface or an area, in cells.
public struct Size: Hashable, Sendable {
    /// Number of columns.
    public var columns: Int
    /// Number of rows.
    public var rows: Int

    /// Creates a size; negative numbers become 0.
    public init(_ columns: Int, _ rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// The position of a cell, starting at 0, 0 in the top left corner.
public struct Point: Hashable, Sendable {
    /// Column, starting at 0.
    public var column: Int
    /// Row, starting at 0.
    public var row: Int

    /// Creates a position.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
///
/// The size is never negative; removing more cells than the rectangle has leaves an empty rectangle.
public struct Rect: Hashable, Sendable {
    /// First column.
    public var column: Int
    /// First row.
    public var row: Int
    /// Number of columns.
    public var columns: Int
    /// Number of rows.
    public var rows: Int

    /// Creates a rectangle; negative sizes become 0.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// Creates a rectangle with the origin 0, 0.
    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    /// Size of the rectangle.
    public var size: Size { Size(columns, rows) }
    /// Whether the rectangle has no cells.
    public var isEmpty: Bool { columns == 0 || rows == 0 }
    /// First column to the right of the rectangle.
    public var endColumn: Int { column + columns }
    /// First row below the rectangle.
    public var endRow: Int { row + rows }
    /// Top left cell.
    public var origin: Point { Point(column: column, row: row) }

    /// Returns whether a cell is inside the rectangle.
    public func contains(_ point: Point) -> Bool {
        point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
    }

    /// Returns the cell of the rectangle that is nearest to a point.
    public func nearest(to point: Point) -> Point {
        Point(
            column: max(column, min(point.column, endColumn - 1)), row: max(row, min(point.row, endRow - 1)))
    }

    /// Returns the common area of two rectangles; empty if they do not overlap.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
    }

    /// Returns the area inside a margin, given in cells.
    public func inset(columns dx: Int = 0, rows dy: Int = 0) -> Rect {
        Rect(
            column: column + min(dx, columns), row: row + min(dy, rows), columns: columns - 2 * dx, rows: rows - 2 * dy)
    }

    /// Removes rows from the top and returns them as a rectangle.
    public mutating func takeTop(_ count: Int) -> Rect {
        let taken = min(max(0, count), rows)
        defer {
            row += taken
            rows -= taken
        }
        return Rect(column: column, row: row, columns: columns, rows: taken)
    }

    /// Removes rows from the bottom and returns them as a rectangle.
    public mutating func takeBottom(_ count: Int) -> Rect {
        let taken = min(max(0, count), rows)
        rows -= taken
        return Rect(column: column, row: endRow, columns: columns, rows: taken)
    }

    /// Removes columns from the left and returns them as a rectangle.
    public mutating func takeLeft(_ count: Int) -> Rect {
        let taken = min(max(0, count), columns)
        defer {
            column += taken
            columns -= taken
        }
        return Rect(column: column, row: row, columns: taken, rows: rows)
    }

    /// Removes columns from the right and returns them as a rectangle.
    public mutating func takeRight(_ count: Int) -> Rect {
        let taken = min(max(0, count), columns)
        columns -= taken
        return Rect(column: endColumn, row: row, columns: taken, rows: rows)
    }
}
