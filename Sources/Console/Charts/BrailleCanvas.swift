/// A canvas for lines and scatter plots, with 2 x 4 dots per cell, or one dot per cell on ASCII-only terminals.
public struct BrailleCanvas: Sendable {
    /// Size in cells.
    public let size: Size
    /// Width in dots.
    public let columns: Int
    /// Height in dots.
    public let rows: Int
    private let isASCII: Bool
    private var dots: [UInt8]
    /// Series that last set a dot in each cell.
    private var owners: [UInt8]

    /// Creates an empty canvas.
    public init(_ size: Size, isASCII: Bool = false) {
        self.size = size
        self.isASCII = isASCII
        columns = size.columns * (isASCII ? 1 : 2)
        rows = size.rows * (isASCII ? 1 : 4)
        dots = Array(repeating: 0, count: size.columns * size.rows)
        owners = dots
    }

    /// Sets a dot, counted from the top left; dots outside the canvas are ignored.
    public mutating func set(_ column: Int, _ row: Int, series: Int = 0) {
        guard column >= 0, column < columns, row >= 0, row < rows else { return }
        let cell = isASCII ? row * size.columns + column : row / 4 * size.columns + column / 2
        dots[cell] |= isASCII ? 1 : Self.bits[row % 4 * 2 + column % 2]
        owners[cell] = UInt8(truncatingIfNeeded: series)
    }

    /// Draws a line between two dots.
    ///
    /// - Source: Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems Journal 4 (1965).
    public mutating func line(from start: Point, to end: Point, series: Int = 0) {
        let across = abs(end.column - start.column)
        let down = -abs(end.row - start.row)
        // Drawing a line to a point far outside the screen would take too long.
        guard across <= 1 << 20, down >= -(1 << 20) else { return }
        var place = start
        var error = across + down
        while true {
            set(place.column, place.row, series: series)
            if place == end { break }
            let twice = 2 * error
            if twice >= down {
                error += down
                place.column += start.column < end.column ? 1 : -1
            }
            if twice <= across {
                error += across
                place.row += start.row < end.row ? 1 : -1
            }
        }
    }

    /// Draws all cells that contain dots.
    public func draw(into surface: inout Surface, at origin: Point, roles: [Role], theme: Theme) {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = row * size.columns + column
                guard dots[cell] != 0 else { continue }
                let series = Int(owners[cell])
                let scalar = Unicode.Scalar(0x2800 + UInt32(dots[cell]))
                let text = isASCII ? Self.sign(series) : scalar.map { String(Character($0)) } ?? " "
                let role = roles.isEmpty ? Role.series(series) : roles[series % roles.count]
                var style = theme[role]
                // An underline would look like a second line of dots.
                style.attributes.remove(.underline)
                surface.put(text, at: Point(column: origin.column + column, row: origin.row + row), style: style)
            }
        }
    }

    /// Returns the character that represents a series on ASCII-only terminals, for use in legends.
    public static func sign(_ series: Int) -> String {
        let signs = ["*", "+", "x", "o", "#", "@", "%", "="]
        return signs[series % signs.count]
    }

    /// Bit of each dot, row by row: dots 1, 4, 2, 5, 3, 6, 7, and 8 of the braille pattern.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
