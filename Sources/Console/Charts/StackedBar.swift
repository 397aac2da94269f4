/// Parts of a whole beside each other in one bar, with a legend. The parts always add up to the bar.
public struct StackedBar: Sendable {
    public struct Part: Hashable, Sendable {
        public var label: String
        public var value: Double
        /// The value as the legend writes it.
        public var text: String
        public var role: Role

        public init(_ label: String, _ value: Double, text: String? = nil, role: Role) {
            self.label = label
            self.value = value.isFinite ? max(0, value) : 0
            self.text = text ?? AxisLabel.text(value)
            self.role = role
        }
    }

    public var parts: [Part]
    /// What the whole bar stands for, where that is more than the parts, such as the size of a context.
    public var capacity: Double?

    public init(_ parts: [Part], capacity: Double? = nil) {
        self.parts = parts
        self.capacity = capacity
    }

    /// The cells of each part in a bar of so many: by largest remainders, but one at least for a part that is not
    /// zero, as long as there are cells. With a capacity, the cells that are left over are free.
    public func cells(of columns: Int) -> [Int] {
        let total = parts.reduce(0) { $0 + $1.value }
        guard columns > 0, total > 0 else { return parts.map { _ in 0 } }
        let whole = max(total, capacity ?? 0)
        var cells = LargestRemainder.shares(of: columns, in: parts.map(\.value) + [whole - total])
        let free = cells.count - 1
        for index in parts.indices where parts[index].value > 0 && cells[index] == 0 {
            // Taken from what is free, else from the longest part.
            let giver = cells[free] > 0 ? free : cells.indices.max { cells[$0] < cells[$1] } ?? free
            guard cells[giver] > 1 || giver == free && cells[free] > 0 else { continue }
            cells[giver] -= 1
            cells[index] += 1
        }
        cells.removeLast()
        return cells
    }

    /// Draws the bar over all rows of an area; what is free is the back of a gauge.
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

    /// Draws a sign, a label and a value for every part that is not zero, in as many rows as there are; returns the
    /// rows that it took.
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
            // A full block would run into the bar above it.
            surface.put(sign == "█" && isColored(index, theme) ? "■" : sign, at: place, style: theme[part.role])
            var line = StyledLine(part.label, .dim)
            line.append(" " + part.text, .text)
            surface.put(
                line, at: Point(column: place.column + 2, row: place.row), theme: theme, width: max(0, room - 2))
            place.column += columns + 2
        }
        return min(area.rows, place.row - area.row + 1)
    }

    /// Where no color tells the parts apart, their signs do.
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

/// Shares out whole units so that they add up.
public enum LargestRemainder {
    /// The units of each weight: its share rounded down, and one more for those that lost most by that; ties go to the
    /// earlier one. They add up to `units` where any weight is positive.
    ///
    /// - Source: the method of Hamilton and Hare for seats.
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
