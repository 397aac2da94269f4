/// A heatmap of a matrix, with labels and a cursor.
///
/// Cells are as large as the area allows, but at least one column wide and half a line high (a whole line without
/// colors). If the area is too small for all cells, neighboring cells are combined by `pooling`, and the caller should
/// mention that in its legend. Small cells may differ in size by one column or half a line, like pixels of a scaled
/// picture. Cells with numbers all have the same size.
public struct Heatmap: Sendable {
    /// Values of the cells.
    public var grid: HeatGrid
    /// Scale of the values.
    public var scale: HeatScale
    /// Selected cell.
    public var cursor: HeatGrid.Position?
    /// Labels at the left; empty for none.
    public var rowLabels: [String]
    /// Labels above the cells; empty for none. Labels that would overlap are omitted, but never the cursor's.
    public var columnLabels: [String]
    /// Whether cells stay about square; otherwise they fill the area in both directions.
    public var isSquare = true
    /// Whether sufficiently wide cells show their value as a number.
    public var hasNumbers = false
    /// Method of combining values that share a cell.
    public var pooling = HeatGrid.Pooling.max

    /// Creates a heatmap.
    public init(
        _ grid: HeatGrid, scale: HeatScale, cursor: HeatGrid.Position? = nil, rowLabels: [String] = [],
        columnLabels: [String] = []
    ) {
        self.grid = grid
        self.scale = scale
        self.cursor = cursor
        self.rowLabels = rowLabels
        self.columnLabels = columnLabels
    }

    /// Areas of the cells and labels, and edges of the drawn rows and columns.
    struct Placement: Hashable {
        /// Area of the cells, without labels.
        var cells: Rect
        var labels: Rect
        var header: Rect
        /// Left edges of the drawn columns, and the right edge of the last one.
        var columnEdges: [Int]
        /// Upper edges of the drawn rows, and the lower edge of the last one, in half lines.
        var rowEdges: [Int]
        /// Whether one screen line may show two rows.
        var isHalved: Bool

        /// Number of drawn rows, at most the number of rows in the matrix.
        var rows: Int { rowEdges.count - 1 }
        /// Number of drawn columns, at most the number of columns in the matrix.
        var columns: Int { columnEdges.count - 1 }
        var linesNeeded: Int { ((rowEdges.last ?? 0) + 1) / 2 }

        /// Returns the row shown in a half line; `nil` below the last row.
        func row(atHalf half: Int) -> Int? { Self.part(at: half, rowEdges) }
        func column(at offset: Int) -> Int? { Self.part(at: offset, columnEdges) }

        private static func part(at place: Int, _ edges: [Int]) -> Int? {
            guard place >= 0, place < edges.last ?? 0 else { return nil }
            return (edges.firstIndex { $0 > place } ?? edges.count) - 1
        }
    }

    /// Returns the number of rows and columns that an area can show individually, without labels.
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
        // Use whole lines if they fit exactly, or if numbers fit into them.
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

    /// Returns the edges of all parts. Parts of at least four units are equal; smaller parts are stretched to the
    /// available room if that enlarges them by a quarter unit or more.
    private static func edges(_ count: Int, of size: Double, unit: Int) -> [Int] {
        let units = size / Double(unit)
        let isStretched = units < 4 && units - units.rounded(.down) >= 0.25
        let each = isStretched ? units : max(1, units.rounded(.down))
        return (0...count).map { Int(Double($0) * each + 1e-9) * unit }
    }

    /// Returns the matrix cell drawn at a point on the screen, or the first if several share the point.
    public func place(at point: Point, in area: Rect, theme: Theme) -> HeatGrid.Position? {
        let placement = placement(in: area, theme: theme)
        guard placement.cells.contains(point), placement.rows > 0, placement.columns > 0 else { return nil }
        guard let row = placement.row(atHalf: 2 * (point.row - placement.cells.row)),
            let column = placement.column(at: point.column - placement.cells.column)
        else { return nil }
        return HeatGrid.Position(
            row: row * grid.rows / placement.rows, column: column * grid.columns / placement.columns)
    }
}
