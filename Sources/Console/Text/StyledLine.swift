/// A line of text with a role for each part. The theme determines the styles when the line is drawn.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A part of a line with one role.
    public struct Run: Hashable, Sendable {
        /// Text of the part.
        public var text: String
        /// Role of the part.
        public var role: Role
        /// Attributes added to the style of the role.
        public var attributes: Style.Attributes

        /// Creates a part of a line.
        public init(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
            self.text = text
            self.role = role
            self.attributes = attributes
        }
    }

    /// Parts of the line.
    public var runs: [Run]

    /// Creates a line from its parts.
    public init(_ runs: [Run] = []) { self.runs = runs }

    /// Creates a line with one role.
    public init(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
        runs = [Run(text, role, attributes)]
    }

    /// Creates a line of plain text from a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// Text of the whole line.
    public var text: String { runs.map(\.text).joined() }

    /// Width of the line in columns.
    public var columns: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// Appends a part.
    public mutating func append(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
        runs.append(Run(text, role, attributes))
    }

    /// Joins two lines.
    public static func + (left: StyledLine, right: StyledLine) -> StyledLine { StyledLine(left.runs + right.runs) }
    /// Appends another line.
    public static func += (left: inout StyledLine, right: StyledLine) { left.runs += right.runs }
}

extension Surface {
    /// Draws a styled line within a number of columns and returns its width.
    ///
    /// - Parameter state: State of the row, which determines the styles.
    @discardableResult
    public mutating func put(
        _ line: StyledLine, at point: Point, theme: Theme, width: Int, in state: RowState = .plain
    ) -> Int {
        var column = 0
        for run in line.runs where column < width {
            let place = Point(column: point.column + column, row: point.row)
            column += put(
                run.text, at: place, style: theme.style(run.role, in: state).adding(run.attributes),
                width: width - column)
        }
        return column
    }
}
