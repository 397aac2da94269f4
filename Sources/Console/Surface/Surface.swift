/// A grid of cells that widgets draw on.
///
/// The terminal, `orrery show`, golden tests, and the SVG export read the grid. Drawing outside the grid or the
/// current clip has no effect and is not an error.
public struct Surface: Sendable {
    /// Size of the grid.
    public let size: Size
    package private(set) var cells: [Cell]
    /// Grapheme clusters of several scalars, indexed by `glyph - Cell.firstCluster`.
    package private(set) var clusters: [String] = []
    private var clusterNumbers: [String: UInt32] = [:]
    /// Area in which drawing has an effect.
    public private(set) var clip: Rect
    /// Position of the terminal's cursor; `nil` if it is hidden.
    public var cursor: Point?

    /// Creates a surface of blank cells.
    public init(_ size: Size, style: Style = .plain) {
        self.size = size
        clip = Rect(size)
        cells = Array(repeating: Cell(style: style), count: size.columns * size.rows)
    }

    /// Area of the whole grid.
    public var bounds: Rect { Rect(size) }

    /// Cell at a position; blank outside the grid.
    public subscript(_ point: Point) -> Cell {
        guard bounds.contains(point) else { return .blank }
        return cells[point.row * size.columns + point.column]
    }

    /// Returns the text of a cell; empty for the right half of a wide glyph.
    public func text(at point: Point) -> String {
        let cell = self[point]
        return cell.width == 0 ? "" : text(of: cell)
    }

    package func text(of cell: Cell) -> String {
        if cell.glyph >= Cell.firstCluster { return clusters[Int(cell.glyph - Cell.firstCluster)] }
        return Unicode.Scalar(cell.glyph).map { String(Character($0)) } ?? " "
    }

    /// Calls `draw` with the clip restricted to an area.
    public mutating func clipped(to area: Rect, _ draw: (inout Surface) -> Void) {
        let outer = clip
        clip = outer.intersection(area)
        draw(&self)
        clip = outer
    }

    /// Sets one cell.
    ///
    /// A wide glyph that loses one half becomes blank, and a wide glyph that crosses the edge of the clip is drawn as a
    /// blank.
    package mutating func set(_ cell: Cell, at point: Point) {
        guard clip.contains(point) else { return }
        let index = point.row * size.columns + point.column
        let columns = cell.width == 2 && point.column + 1 < clip.endColumn ? 2 : 1
        freeEnds(of: index..<index + columns, columns: point.column..<point.column + columns)
        if columns == 2 {
            cells[index] = cell
            cells[index + 1] = Cell(style: cell.style, width: 0)
        } else {
            cells[index] = cell.width == 1 ? cell : Cell(style: cell.style)
        }
    }

    /// Sets cells of one row to printable ASCII.
    mutating func set(printable bytes: UnsafeBufferPointer<UInt8>, at point: Point, style: Style) {
        let first = max(clip.column, point.column)
        let end = min(clip.endColumn, point.column + bytes.count)
        guard first < end, point.row >= clip.row, point.row < clip.endRow else { return }
        let row = point.row * size.columns
        freeEnds(of: row + first..<row + end, columns: first..<end)
        var cell = Cell(style: style)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in first..<end {
                cell.glyph = UInt32(bytes[column - point.column])
                cells[row + column] = cell
            }
        }
    }

    /// Blanks the remaining halves of wide glyphs at both ends of a range that will be overwritten.
    @inline(__always)
    private mutating func freeEnds(of indices: Range<Int>, columns: Range<Int>) {
        if columns.lowerBound > 0, cells[indices.lowerBound].width == 0 {
            cells[indices.lowerBound - 1] = Cell(style: cells[indices.lowerBound - 1].style)
        }
        if columns.upperBound < size.columns, cells[indices.upperBound].width == 0 {
            cells[indices.upperBound] = Cell(style: cells[indices.upperBound].style)
        }
    }

    /// Returns the glyph number of a grapheme cluster, which the surface stores once.
    package mutating func intern(_ cluster: String) -> UInt32 {
        if let known = clusterNumbers[cluster] { return known }
        let number = Cell.firstCluster + UInt32(clusters.count)
        clusters.append(cluster)
        clusterNumbers[cluster] = number
        return number
    }

    /// Blanks all cells and removes the clusters, so that one surface can be reused for every frame.
    public mutating func clear(style: Style = .plain) {
        clip = bounds
        cursor = nil
        clusters.removeAll(keepingCapacity: true)
        clusterNumbers.removeAll(keepingCapacity: true)
        let blank = Cell(style: style)
        cells.withUnsafeMutableBufferPointer { $0.update(repeating: blank) }
    }

    /// Fills an area with a single-column scalar.
    public mutating func fill(_ area: Rect, with scalar: Unicode.Scalar = " ", style: Style) {
        let visible = clip.intersection(area)
        guard !visible.isEmpty else { return }
        let kind = ScalarClass.of(scalar.value)
        let cell = Cell(glyph: kind.columns == 1 ? scalar.value : 0x20, style: style)
        for row in visible.row..<visible.endRow {
            let start = row * size.columns
            freeEnds(
                of: start + visible.column..<start + visible.endColumn, columns: visible.column..<visible.endColumn)
            cells.withUnsafeMutableBufferPointer { cells in
                cells[start + visible.column..<start + visible.endColumn].update(repeating: cell)
            }
        }
    }

    /// Calls `body` with all cells, for changes to the whole grid.
    mutating func updateCells(_ body: (inout UnsafeMutableBufferPointer<Cell>) -> Void) {
        cells.withUnsafeMutableBufferPointer(body)
    }

    /// Replaces the terminal's default colors with the colors of a canvas.
    public mutating func paint(_ canvas: Theme.Canvas) {
        restyle(bounds) { style in
            Style(
                foreground: style.foreground == .terminal ? canvas.foreground : style.foreground,
                background: style.background == .terminal ? canvas.background : style.background,
                attributes: style.attributes)
        }
    }

    /// Changes the styles of an area but not its text.
    public mutating func restyle(_ area: Rect, _ change: (Style) -> Style) {
        let visible = clip.intersection(area)
        for row in visible.row..<visible.endRow {
            for column in visible.column..<visible.endColumn {
                let index = row * size.columns + column
                cells[index].style = change(cells[index].style)
            }
        }
    }
}
