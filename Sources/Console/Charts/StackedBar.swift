internal import Formatting

/// A stacked bar with a legend; the lengths of its parts add up to the length of the bar.
public struct StackedBar: Sendable {
    /// A part of a stacked bar.
    public struct Part: Hashable, Sendable {
        /// Label in the legend.
        public var label: String
        /// Size of the part.
        public var value: Double
        /// Value as displayed in the legend.
        public var text: String
        /// Color of the part.
        public var role: Role

        /// Creates a part; its value is clamped to 0 or more.
        ///
        /// - Parameter text: Value in the legend (default: formatted by ``Format``).
        public init(_ label: String, _ value: Double, text: String? = nil, role: Role) {
            self.label = label
            self.value = value.isFinite ? max(0, value) : 0
            self.text = text ?? Format.compact(value)
            self.role = role
        }
    }

    /// Parts from left to right.
    public var parts: [Part]
    /// Value of the full bar if it exceeds the sum of the parts, such as the context length.
    public var capacity: Double?

    /// Creates a stacked bar.
    public init(_ parts: [Part], capacity: Double? = nil) {
        self.parts = parts
        self.capacity = capacity
    }

    /// Returns the number of cells of each part in a bar of `columns` cells, by the method of largest remainders.
    ///
    /// Parts above 0 get at least one cell while cells last. If the bar has a capacity, the remaining cells are free.
    public func cells(of columns: Int) -> [Int] {
        let total = parts.reduce(0) { $0 + $1.value }
        guard columns > 0, total > 0 else { return parts.map { _ in 0 } }
        let whole = max(total, capacity ?? 0)
        var cells = LargestRemainder.shares(of: columns, in: parts.map(\.value) + [whole - total])
        let free = cells.count - 1
        for index in parts.indices where parts[index].value > 0 && cells[index] == 0 {
            // Take a free cell, or else a cell of the longest part.
            let donor = cells[free] > 0 ? free : cells.indices.max { cells[$0] < cells[$1] } ?? free
            guard cells[donor] > 1 || donor == free && cells[free] > 0 else { continue }
            cells[donor] -= 1
            cells[index] += 1
        }
        cells.removeLast()
        return cells
    }

    /// Draws the bar over all rows of an area; free cells look like the background of a gauge.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        var column = area.column
        for (index, cells) in cells(of: area.columns).enumerated() where cells > 0 {
            let rect = Rect(column: column, row: area.row, columns: cells, rows: area.rows)
            surface.fill(rect, with: glyph(of: index, theme), style: theme[parts[index].role])
            column += cells
        }
        let free = Rect(column: column, row: area.row, columns: area.endColumn - column, rows: area.rows)
        let isColored = theme[.gaugeBack].foreground != .terminal
        surface.fill(
            free, with: isColored ? theme.glyphs.shades[0] : theme.glyphs.nothing, style: theme[.gaugeBack])
    }

    /// Draws the legend: a symbol, a label, and a value for each part above 0.
    ///
    /// - Returns: Number of rows used.
    @discardableResult
    public func drawLegend(into surface: inout Surface, in area: Rect, theme: Theme) -> Int {
        guard !area.isEmpty else { return 0 }
        var place = area.origin
        for (index, part) in parts.enumerated() where part.value > 0 {
            let columns = 2 + DisplayWidth.of(part.label) + 1 + DisplayWidth.of(part.text)
            if place.column > area.column, place.column + columns > area.endColumn {
                place = Point(column: area.column, row: place.row + 1)
            }
            guard place.row < area.endRow else { break }
            let room = area.endColumn - place.column
            let sign = glyph(of: index, theme)
            // A full block would merge with the bar above it.
            surface.put(sign == "█" && isColored(index, theme) ? "■" : sign, at: place, style: theme[part.role])
            var line = StyledLine(part.label, .dim)
            line.append(" " + part.text, .text)
            surface.put(
                line, at: Point(column: place.column + 2, row: place.row), theme: theme, width: max(0, room - 2))
            place.column += columns + 2
        }
        return min(area.rows, place.row - area.row + 1)
    }

    /// Returns the fill character of a part; without colors, each part has a different character.
    private func glyph(of index: Int, _ theme: Theme) -> Unicode.Scalar {
        if theme.glyphs.isASCII { return Self.letters[index % Self.letters.count] }
        return isColored(index, theme) ? "█" : Self.shades[index % Self.shades.count]
    }

    private func isColored(_ index: Int, _ theme: Theme) -> Bool {
        theme[parts[index].role].foreground != .terminal
    }

    private static let letters: [Unicode.Scalar] = ["#", "=", "+", "-", "*", ":", "o", "%"]
    private static let shades: [Unicode.Scalar] = ["█", "▒", "▓", "░", "▚", "▤", "◆", "+"]
}

/// Apportionment by the method of largest remainders.
public enum LargestRemainder {
    /// Returns the number of units for each weight; the numbers add up to `units` if any weight is positive.
    ///
    /// Each share is rounded down; the remaining units go to the largest remainders. Ties go to the earlier weight.
    /// - Source: the Hamilton-Hare method for allocating seats.
    public static func shares(of units: Int, in weights: [Double]) -> [Int] {
        let weights = weights.map { $0.isFinite ? max(0, $0) : 0 }
        let total = weights.reduce(0, +)
        guard units > 0, total > 0, total.isFinite else { return weights.map { _ in 0 } }
        let exact = weights.map { $0 / total * Double(units) }
        var shares = exact.map { Int($0) }
        let order = exact.indices.sorted {
            let left = exact[$0] - Double(shares[$0])
            let right = exact[$1] - Double(shares[$1])
            return left == right ? $0 < $1 : left > right
        }
        let missing = units - shares.reduce(0, +)
        for index in order.prefix(max(0, missing)) { shares[index] += 1 }
        return shares
    }
}
