/// A drawing of dots, 2 x 4 a cell, for lines and scatters; one dot a cell where only ASCII is to be had.
public struct BrailleCanvas: Sendable {
    public let size: Size
    /// Dots across and down.
    public let columns: Int
    public let rows: Int
    private let isASCII: Bool
    private var dots: [UInt8]
    /// The series that set a dot in a cell last.
    private var owners: [UInt8]

    public init(_ size: Size, isASCII: Bool = false) {
        self.size = size
        self.isASCII = isASCII
        columns = size.columns * (isASCII ? 1 : 2)
        rows = size.rows * (isASCII ? 1 : 4)
        dots = Array(repeating: 0, count: size.columns * size.rows)
        owners = dots
    }

    /// Sets a dot, counted from the top left; nothing outside.
    public mutating func set(_ column: Int, _ row: Int, series: Int = 0) {
        guard column >= 0, column < columns, row >= 0, row < rows else { return }
        let cell = isASCII ? row * size.columns + column : row / 4 * size.columns + column / 2
        dots[cell] |= isASCII ? 1 : Self.bits[row % 4 * 2 + column % 2]
        owners[cell] = UInt8(truncatingIfNeeded: series)
    }

    /// Draws a line of dots between two places.
    ///
    /// - Source: Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems Journal 4 (1965).
    public mutating func line(from start: Point, to end: Point, series: Int = 0) {
        let across = abs(end.column - start.column)
        let down = -abs(end.row - start.row)
        // Endpoints far outside would take forever; they are no place on a screen.
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

    /// Draws the cells that have dots.
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
                // An underline below dots would be a second line.
                style.attributes.remove(.underline)
                surface.put(text, at: Point(column: origin.column + column, row: origin.row + row), style: style)
            }
        }
    }

    /// The sign of a series on ASCII-only terminals, as legends show it.
    public static func sign(_ series: Int) -> String {
        let signs = ["*", "+", "x", "o", "#", "@", "%", "="]
        return signs[series % signs.count]
    }

    /// The bit of each dot, row by row: dots 1, 4, 2, 5, 3, 6, 7, 8 of the pattern.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
