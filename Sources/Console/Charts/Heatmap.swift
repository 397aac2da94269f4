/// A matrix as a field of colors, with labels at its edges and the cross of a cursor.
///
/// Cells are as large as the area allows, so that the matrix fills it. The smallest are half a cell of the screen high,
/// so that they are about square; where even those are too many, neighbors share one by `pooling`, and the caller should
/// say so in its legend. Small cells may differ by one column or half a line, as pixels of a scaled picture do; cells
/// that numbers are written into are all of one size.
public struct Heatmap: Sendable {
    public var grid: HeatGrid
    public var scale: HeatScale
    public var cursor: HeatGrid.Place?
    /// At the left; empty for none.
    public var rowLabels: [String]
    /// Above; empty for none. Those that would run into each other are left out, the cursor's never.
    public var columnLabels: [String]
    /// Whether cells stay about square; otherwise each side takes all the room there is.
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
        /// Left edges of the drawn columns, and the right edge of the last one.
        var columnEdges: [Int]
        /// Upper edges of the drawn rows, and the lower edge of the last one, in half lines.
        var rowEdges: [Int]
        /// Whether one line of the screen may show two rows.
        var isHalved: Bool

        /// What is drawn: the matrix, or fewer rows and columns of it.
        var rows: Int { rowEdges.count - 1 }
        var columns: Int { columnEdges.count - 1 }
        var linesNeeded: Int { ((rowEdges.last ?? 0) + 1) / 2 }

        /// The row shown in a half line; nil below the last row.
        func row(atHalf half: Int) -> Int? { Self.part(at: half, rowEdges) }
        func column(at offset: Int) -> Int? { Self.part(at: offset, columnEdges) }

        private static func part(at place: Int, _ edges: [Int]) -> Int? {
            guard place >= 0, place < edges.last ?? 0 else { return nil }
            return (edges.firstIndex { $0 > place } ?? edges.count) - 1
        }
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
        var (width, height) = (0.0, 0.0)
        if rows > 0, columns > 0 {
            // A column is about as wide as half a line is high, so a cell one column wide and half a line high is
            // square.
            width = min(Self.widest, Double(cells.columns) / Double(columns))
            height = min(Self.highest, Double(2 * cells.rows) / Double(rows))
            if isSquare {
                width = min(width, max(1, 2.5 * height))
                height = min(height, max(hasHalves ? 1 : 2, 1.25 * width))
            }
        }
        // Use whole lines if they fit exactly, and if numbers can be written into them.
        let isHalved =
            hasHalves && height < 4 && !(Int(height * 4) == 8) && !(hasNumbers && width >= 6 && height >= 2)
        let placement = Placement(
            cells: cells, labels: labels, header: header, columnEdges: Self.edges(columns, of: width, unit: 1),
            rowEdges: Self.edges(rows, of: height, unit: isHalved ? 1 : 2), isHalved: isHalved)
        cells.columns = min(cells.columns, placement.columnEdges.last ?? 0)
        cells.rows = min(cells.rows, placement.linesNeeded)
        labels.rows = cells.rows
        header.column = cells.column
        header.columns = min(header.columns, area.endColumn - cells.column)
        var placed = placement
        (placed.cells, placed.labels, placed.header) = (cells, labels, header)
        return placed
    }

    /// Size of the largest cells, in columns and half lines.
    private static let widest = 16.0
    private static let highest = 12.0

    /// Edges of all parts. Parts of at least four units are equal; smaller parts are stretched to the available room if
    /// that enlarges them by a quarter or more.
    private static func edges(_ count: Int, of size: Double, unit: Int) -> [Int] {
        let units = size / Double(unit)
        let isStretched = units < 4 && units - units.rounded(.down) >= 0.25
        let each = isStretched ? units : max(1, units.rounded(.down))
        return (0...count).map { Int(Double($0) * each + 1e-9) * unit }
    }

    /// The cell of the matrix that is drawn at a place of the screen; where several share it, the first.
    public func place(at point: Point, in area: Rect, theme: Theme) -> HeatGrid.Place? {
        let placement = placement(in: area, theme: theme)
        guard placement.cells.contains(point), placement.rows > 0, placement.columns > 0 else { return nil }
        guard let row = placement.row(atHalf: 2 * (point.row - placement.cells.row)),
            let column = placement.column(at: point.column - placement.cells.column)
        else { return nil }
        return HeatGrid.Place(
            row: row * grid.rows / placement.rows, column: column * grid.columns / placement.columns)
    }
}
