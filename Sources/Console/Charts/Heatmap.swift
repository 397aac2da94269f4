/// A matrix as a field of colors, with labels at its edges and the cross of a cursor.
///
/// Cells are as large as the area allows. The smallest are half a cell of the screen high, so that they are about
/// square; where even those are too many, neighbors share one by `pooling`, and who draws it should say so in its legend.
public struct Heatmap: Sendable {
    public var grid: HeatGrid
    public var scale: HeatScale
    public var cursor: HeatGrid.Place?
    /// At the left; empty for none.
    public var rowLabels: [String]
    /// Above; empty for none. Those that would run into each other are left out, the cursor's never.
    public var columnLabels: [String]
    /// Whether cells are square; else each side is as long as there is room.
    public var isSquare = true
    /// Whether values are written into cells that are wide enough.
    public var hasNumbers = false
    /// How cells that must share one are drawn.
    public var pooling = HeatGrid.Pooling.max

    public init(
        _ grid: HeatGrid, scale: HeatScale, cursor: HeatGrid.Place? = nil, rowLabels: [String] = [],
        columnLabels: [String] = []
    ) {
        self.grid = grid
        self.scale = scale
        self.cursor = cursor
        self.rowLabels = rowLabels
        self.columnLabels = columnLabels
    }

    /// Where a heatmap draws what.
    struct Placement: Hashable {
        /// The cells, without labels.
        var cells: Rect
        var labels: Rect
        var header: Rect
        /// What is drawn: the matrix, or fewer rows and columns of it.
        var rows: Int
        var columns: Int
        /// Columns of the screen that a cell takes.
        var width: Int
        /// Rows of the screen that a cell takes; 0 where two cells share one.
        var height: Int

        var linesNeeded: Int { height == 0 ? (rows + 1) / 2 : rows * height }
    }

    /// How many rows and columns an area can show one by one, without labels.
    public static func capacity(of area: Rect, theme: Theme) -> (rows: Int, columns: Int) {
        (area.rows * (HeatPalette(theme).isColored ? 2 : 1), area.columns)
    }

    func placement(in area: Rect, theme: Theme) -> Placement {
        var cells = area
        var header = Rect(column: area.column, row: area.row, columns: 0, rows: 0)
        if !columnLabels.isEmpty, area.rows > 2 { header = cells.takeTop(1) }
        let widest = rowLabels.reduce(0) { max($0, min(24, DisplayWidth.of($1))) }
        var labels = cells.takeLeft(widest == 0 ? 0 : min(widest + 1, area.columns / 3))
        let hasHalves = HeatPalette(theme).isColored
        let capacity = Self.capacity(of: cells, theme: theme)
        let (rows, columns) = (min(grid.rows, capacity.rows), min(grid.columns, capacity.columns))
        var width = 1
        var height = hasHalves ? 0 : 1
        if rows > 0, columns > 0 {
            let (wide, high) = (cells.columns / columns, cells.rows / rows)
            if isSquare {
                let side = min(4, high, wide / 2)
                if side >= 1 { (width, height) = (2 * side, side) }
            } else {
                width = max(1, min(8, wide))
                height = min(3, max(height, high))
            }
        }
        var placement = Placement(
            cells: cells, labels: labels, header: header, rows: rows, columns: columns, width: width, height: height)
        cells.columns = min(cells.columns, columns * width)
        cells.rows = min(cells.rows, placement.linesNeeded)
        labels.rows = cells.rows
        header.column = cells.column
        header.columns = min(header.columns, area.endColumn - cells.column)
        (placement.cells, placement.labels, placement.header) = (cells, labels, header)
        return placement
    }

    /// The cell of the matrix that is drawn at a place of the screen; where several share it, the first.
    public func place(at point: Point, in area: Rect, theme: Theme) -> HeatGrid.Place? {
        let placement = placement(in: area, theme: theme)
        guard placement.cells.contains(point), placement.rows > 0, placement.columns > 0 else { return nil }
        let line = point.row - placement.cells.row
        let row = min(placement.rows - 1, placement.height == 0 ? 2 * line : line / placement.height)
        let column = min(placement.columns - 1, (point.column - placement.cells.column) / placement.width)
        return HeatGrid.Place(
            row: row * grid.rows / placement.rows, column: column * grid.columns / placement.columns)
    }
}
