/// Many small heatmaps side by side, such as all heads of all layers: a picture each where there is room, else one cell
/// whose color is a score.
///
/// Where not even the cells fit, those about the cursor are shown.
public struct HeatTiles: Sendable {
    public let rows: Int
    public let columns: Int
    /// `[rows, columns]`; NaN for what is not known.
    public var scores: [Float]
    public var scale: HeatScale
    /// The pictures, `[rows, columns]`; empty for none, nil for one that is not there.
    public var minis: [HeatGrid?]
    /// The scale of all tiles; nil gives each tile its own square-root scale.
    public var miniScale: HeatScale?
    /// How cells of a picture that must share one are drawn.
    public var pooling = HeatGrid.Pooling.max
    /// What stands before the numbers of rows and columns: `L3`, `H5`.
    public var rowPrefix: String
    public var columnPrefix: String
    public var cursor = HeatGrid.Place(row: 0, column: 0)

    public init(
        rows: Int, columns: Int, scores: [Float], scale: HeatScale, minis: [HeatGrid?] = [],
        miniScale: HeatScale? = .sequential(max: 1), rowPrefix: String = "L", columnPrefix: String = "H"
    ) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
        self.scores = scores
        self.scale = scale
        self.minis = minis
        self.miniScale = miniScale
        self.rowPrefix = rowPrefix
        self.columnPrefix = columnPrefix
    }

    /// The name of a tile: `L3H5`.
    public func name(of place: HeatGrid.Place) -> String { "\(rowPrefix)\(place.row)\(columnPrefix)\(place.column)" }

    /// Where tiles are drawn.
    struct Placement: Hashable {
        var labels: Rect
        var header: Rect
        var tiles: Rect
        /// The size of a tile with the air behind it.
        var width: Int
        var height: Int
        var hasMinis: Bool
        var shownRows: Range<Int>
        var shownColumns: Range<Int>
    }

    /// The least size of a tile with a picture: a line with its score, and two of four rows of the matrix.
    private static let leastMini = Size(6, 3)

    func placement(in area: Rect) -> Placement {
        var tiles = area
        var header = tiles.takeTop(area.rows > 1 ? 1 : 0)
        let labels = tiles.takeLeft(min(area.columns, rowPrefix.count + String(max(0, rows - 1)).count + 1))
        let hasMinis =
            !minis.isEmpty && columns * Self.leastMini.columns <= tiles.columns
            && rows * Self.leastMini.rows <= tiles.rows
        var (width, height) = (2, 1)
        if rows > 0, columns > 0 {
            width = max(2, min(hasMinis ? 40 : 8, tiles.columns / columns))
            height = max(1, min(hasMinis ? 20 : 1, tiles.rows / rows))
        }
        let shownRows = Self.window(about: cursor.row, of: rows, room: tiles.rows / height)
        let shownColumns = Self.window(about: cursor.column, of: columns, room: tiles.columns / width)
        tiles.columns = shownColumns.count * width
        tiles.rows = shownRows.count * height
        header.column = tiles.column
        header.columns = tiles.columns
        return Placement(
            labels: Rect(column: labels.column, row: tiles.row, columns: labels.columns, rows: tiles.rows),
            header: header, tiles: tiles, width: width, height: height, hasMinis: hasMinis, shownRows: shownRows,
            shownColumns: shownColumns)
    }

    /// The cells of the screen that each picture has, in a matrix of so many tiles; none where scores alone fit.
    ///
    /// A row of the screen shows two rows of a matrix in a theme with colors: `HeatPalette.isColored`.
    public static func miniSize(rows: Int, columns: Int, in area: Rect) -> Size {
        var tiles = HeatTiles(rows: rows, columns: columns, scores: [], scale: .sequential(max: 1))
        tiles.minis = [nil]
        let placement = tiles.placement(in: area)
        guard placement.hasMinis else { return Size(0, 0) }
        return tiles.picture(in: Rect(column: 0, row: 0, columns: placement.width, rows: placement.height)).size
    }

    /// The part of a tile below its score, with air between tiles where they are large enough to have it.
    func picture(in tile: Rect) -> Rect {
        var inside = tile
        if tile.columns > 2 { inside.columns -= 1 }
        _ = inside.takeTop(1)
        if tile.rows > 3 { inside.rows -= 1 }
        return inside
    }

    /// So many of them as there is room for, with the cursor among them.
    private static func window(about cursor: Int, of count: Int, room: Int) -> Range<Int> {
        let shown = min(count, max(0, room))
        let first = max(0, min(cursor - shown / 2, count - shown))
        return first..<first + shown
    }

    /// The tile at a place of the screen.
    public func place(at point: Point, in area: Rect) -> HeatGrid.Place? {
        let placement = placement(in: area)
        guard placement.tiles.contains(point) else { return nil }
        return HeatGrid.Place(
            row: placement.shownRows.lowerBound + (point.row - placement.tiles.row) / placement.height,
            column: placement.shownColumns.lowerBound + (point.column - placement.tiles.column) / placement.width)
    }
}
