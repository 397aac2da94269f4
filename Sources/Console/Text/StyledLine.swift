/// One line of text whose parts have roles; a theme gives them their looks when it is drawn.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A stretch of text with one role.
    public struct Run: Hashable, Sendable {
        public var text: String
        public var role: Role
        public var attributes: Style.Attributes

        public init(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
            self.text = text
            self.role = role
            self.attributes = attributes
        }
    }

    public var runs: [Run]

    public init(_ runs: [Run] = []) { self.runs = runs }

    public init(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
        runs = [Run(text, role, attributes)]
    }

    public init(stringLiteral value: String) { self.init(value) }

    public var text: String { runs.map(\.text).joined() }

    /// The columns that it takes when drawn.
    public var columns: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    public mutating func append(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
        runs.append(Run(text, role, attributes))
    }

    public static func + (left: StyledLine, right: StyledLine) -> StyledLine { StyledLine(left.runs + right.runs) }
    public static func += (left: inout StyledLine, right: StyledLine) { left.runs += right.runs }
}

extension Surface {
    /// Draws a styled line within a number of columns and returns the columns it took.
    @discardableResult
    public mutating func put(_ line: StyledLine, at point: Point, theme: Theme, width: Int) -> Int {
        var column = 0
        for run in line.runs where column < width {
            let place = Point(column: point.column + column, row: point.row)
            column += put(
                run.text, at: place, style: theme[run.role].adding(run.attributes), width: width - column)
        }
        return column
    }
}
