/// A table of small heatmaps, such as one per attention head, or of colored scores if there is no room for heatmaps.
///
/// If even the scores do not all fit, only the tiles around the cursor are shown.
public struct HeatTiles: Sendable {
    /// Number of rows of tiles.
    public let rows: Int
    /// Number of columns of tiles.
    public let columns: Int
    /// Scores as `[rows, columns]`; NaN if unknown.
    public var scores: [Float]
    /// Scale of the scores.
    public var scale: HeatScale
    /// Heatmaps as `[rows, columns]`, `nil` for a missing heatmap; empty if tiles show only scores.
    public var heatmaps: [HeatGrid?]
    /// Scale of all heatmaps; `nil` gives each heatmap its own square-root scale.
    public var miniScale: HeatScale?
    /// Method of combining the values of a heatmap that share a cell.
    public var pooling = HeatGrid.Pooling.max
    /// Text before row numbers, such as `L` in `L3`.
    public var rowPrefix: String
    /// Text before column numbers, such as `H` in `H5`.
    public var columnPrefix: String
    /// Selected tile.
    public var cursor = HeatGrid.Position(row: 0, column: 0)

    /// Creates a table of tiles.
    public init(
        rows: Int, columns: Int, scores: [Float], scale: HeatScale, heatmaps: [HeatGrid?] = [],
        miniScale: HeatScale? = .sequential(max: 1), rowPrefix: String = "L", columnPrefix: String = "H"
    ) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
        self.scores = scores
        self.scale = scale
        self.heatmaps = heatmaps
        self.miniScale = miniScale
        self.rowPrefix = rowPrefix
        self.columnPrefix = columnPrefix
    }

    /// Returns the name of a tile: `L3H5`.
    public func name(of place: HeatGrid.Position) -> String { "\(rowPrefix)\(place.row)\(columnPrefix)\(place.column)" }

    /// Areas of the tiles and their labels.
    struct Placement: Hashable {
        var labels: Rect
        var header: Rect
        var tiles: Rect
        /// Size of a tile, including the space after it.
        var width: Int
        var height: Int
        var hasMinis: Bool
        var shownRows: Range<Int>
        var shownColumns: Range<Int>
    }

    /// Smallest size of a tile with a heatmap: a line for its score, and two lines for four rows of the matrix.
    private static let smallestTile = Size(6, 3)

    func placement(in area: Rect) -> Placement {
        var tiles = area
        var header = tiles.takeTop(area.rows > 1 ? 1 : 0)
        let labels = tiles.takeLeft(min(area.columns, rowPrefix.count + String(max(0, rows - 1)).count + 1))
        let hasMinis =
            !heatmaps.isEmpty && columns * Self.smallestTile.columns <= tiles.columns
            && rows * Self.smallestTile.rows <= tiles.rows
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

    /// Returns the size of each heatmap in a table of tiles; 0 × 0 if only scores fit.
    ///
    /// In a theme with colors (`HeatPalette.isColored`), a screen row shows two rows of a matrix.
    public static func miniSize(rows: Int, columns: Int, in area: Rect) -> Size {
        var tiles = HeatTiles(rows: rows, columns: columns, scores: [], scale: .sequential(max: 1))
        tiles.heatmaps = [nil]
        let placement = tiles.placement(in: area)
        guard placement.hasMinis else { return Size(0, 0) }
        return tiles.picture(in: Rect(column: 0, row: 0, columns: placement.width, rows: placement.height)).size
    }

    /// Returns the part of a tile below its score, without the space between large tiles.
    func picture(in tile: Rect) -> Rect {
        var inside = tile
        if tile.columns > 2 { inside.columns -= 1 }
        _ = inside.takeTop(1)
        if tile.rows > 3 { inside.rows -= 1 }
        return inside
    }

    /// Returns a range of at most `room` tiles that contains the cursor.
    private static func window(about cursor: Int, of count: Int, room: Int) -> Range<Int> {
        let shown = min(count, max(0, room))
        let first = max(0, min(cursor - shown / 2, count - shown))
        return first..<first + shown
    }

    /// Returns the tile drawn at a point on the screen.
    public func place(at point: Point, in area: Rect) -> HeatGrid.Position? {
        let placement = placement(in: area)
        guard placement.tiles.contains(point) else { return nil }
        return HeatGrid.Position(
            row: placement.shownRows.lowerBound + (point.row - placement.tiles.row) / placement.height,
            column: placement.shownColumns.lowerBound + (point.column - placement.tiles.column) / placement.width)
    }
}
