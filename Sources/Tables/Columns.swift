package import Console
package import JSON

/// The columns of a table: title, cell, and JSON member, declared together.
///
/// A page draws them as a list; a command prints them as text, JSON, CSV, or Markdown.
package struct Columns<Row> {
    enum Cell {
        case text((Row) -> Table.Cell)
        case drawn((Row, inout Surface, Rect, RowState) -> Void)
    }

    struct Column {
        var layout: Table.Column
        /// `nil` for a member that only JSON has.
        var cell: Cell?
        /// Title in CSV; the JSON key if there is one.
        var name = ""
        /// Value in CSV, without formatting; `nil` for the text of the cell.
        var value: ((Row) -> String)?
        var member: ((Row, inout JSONWriter) -> Void)?
    }

    /// Width of the pane in terminal columns.
    package let width: Int
    package let theme: Theme
    /// Title of the column by which the rows are sorted, and whether the order is ascending.
    package var sort: (title: String, isAscending: Bool)?
    var columns: [Column] = []

    /// Creates columns for a pane.
    package init(width: Int, theme: Theme) {
        self.width = width
        self.theme = theme
    }

    /// Creates columns for printing.
    package init(_ declare: (inout Columns) -> Void) {
        self.init(width: .max, theme: .dark)
        declare(&self)
    }

    // MARK: Lists

    /// Adds a column of a list.
    ///
    /// - Parameters:
    ///   - minimum: Width in columns; with less room, the column is left out.
    ///   - weight: Share of the remaining width; 0 stays at the minimum.
    ///   - priority: 0 always stays; of the other columns, the highest number is left out first.
    package mutating func add(
        _ title: String, align: Alignment = .left, minimum: Int, weight: Double = 0, priority: Int = 0,
        cell: @escaping (Row) -> Table.Cell
    ) {
        let layout = Table.Column(title, alignment: align, minimum: minimum, weight: weight, priority: priority)
        columns.append(Column(layout: layout, cell: .text(cell)))
    }

    /// Adds a column of a list that draws its cells, such as a small chart.
    package mutating func add(
        _ title: String, minimum: Int, weight: Double = 0, priority: Int = 0,
        draw: @escaping (Row, inout Surface, Rect) -> Void
    ) {
        add(title, minimum: minimum, weight: weight, priority: priority) { row, surface, area, _ in
            draw(row, &surface, area)
        }
    }

    /// Adds a column of a list that draws its cells in the style of the row, which may be selected.
    package mutating func add(
        _ title: String, minimum: Int, weight: Double = 0, priority: Int = 0,
        draw: @escaping (Row, inout Surface, Rect, RowState) -> Void
    ) {
        let layout = Table.Column(title, minimum: minimum, weight: weight, priority: priority)
        columns.append(Column(layout: layout, cell: .drawn(draw)))
    }

    /// Adds a column of the printed table to a list; an empty cell shows the sign of a missing value.
    ///
    /// - Parameters:
    ///   - shared: Title of the printed column.
    ///   - row: Returns the row of the printed table.
    ///   - role: Returns the role of the text.
    package mutating func add<Printed: Tabular>(
        shared: String, of row: @escaping (Row) -> Printed, minimum: Int, weight: Double = 0, priority: Int = 0,
        role: @escaping (Row) -> Role
    ) {
        let found = Printed.table.columns.first { $0.layout.title == shared }
        guard let found, case .text(let cell) = found.cell else { preconditionFailure("no column \"\(shared)\"") }
        let nothing = Table.Cell(String(Character(theme.glyphs.nothing)), .faint)
        add(shared, align: found.layout.alignment, minimum: minimum, weight: weight, priority: priority) {
            let text = cell(row($0)).text
            return text.isEmpty ? nothing : .init(text, role($0))
        }
    }

    // MARK: Printed tables

    /// Adds a column of text.
    ///
    /// - Parameter name: Title in CSV (default: the title).
    package mutating func text(
        _ title: String, csv name: String? = nil, align alignment: Alignment = .left, _ text: @escaping (Row) -> String
    ) {
        add(title, align: alignment, minimum: 0) { .init(text($0)) }
        columns[columns.count - 1].name = name ?? title
    }

    /// Adds a column of text that depends on the whole row; CSV contains a value without formatting.
    package mutating func text(
        _ title: String, align alignment: Alignment = .left, csv value: @escaping (Row) -> some JSONRepresentable,
        _ text: @escaping (Row) -> String
    ) {
        self.text(title, align: alignment, text)
        columns[columns.count - 1].value = { Self.plain(value($0)) }
    }

    /// Adds a column of values, which JSON and CSV contain without formatting.
    ///
    /// - Parameters:
    ///   - key: JSON key; `nil` if JSON does not contain the value.
    ///   - name: Title in CSV (default: the JSON key, or else the title).
    ///   - text: Returns a value as text.
    package mutating func text<Value: JSONRepresentable>(
        _ title: String, json key: String?, csv name: String? = nil, align alignment: Alignment = .left,
        _ value: @escaping (Row) -> Value, as text: @escaping (Value) -> String = { "\($0)" }
    ) {
        self.text(title, csv: name, align: alignment) { text(value($0)) }
        columns[columns.count - 1].value = { Self.plain(value($0)) }
        guard let key else { return }
        columns[columns.count - 1].name = name ?? key
        columns[columns.count - 1].member = { $1.member(key, value($0)) }
    }

    /// Adds a column of values; a missing value is an empty cell, and JSON omits its member.
    package mutating func text<Value: JSONRepresentable>(
        _ title: String, ifPresent key: String, align alignment: Alignment = .left, _ value: @escaping (Row) -> Value?,
        as text: @escaping (Value) -> String = { "\($0)" }
    ) {
        self.text(title, align: alignment) { value($0).map(text) ?? "" }
        columns[columns.count - 1].name = key
        columns[columns.count - 1].value = { Self.plain(value($0)) }
        columns[columns.count - 1].member = { $1.member(key, ifPresent: value($0)) }
    }

    /// Returns a value without formatting: the text itself, a number as in JSON, or an empty text if it is missing.
    private static func plain(_ value: some JSONRepresentable) -> String {
        let json = value.json()
        return value as? String ?? (json == "null" ? "" : json)
    }

    /// Adds a value that only JSON contains.
    package mutating func member(_ key: String, _ value: @escaping (Row) -> some JSONRepresentable) {
        write { $1.member(key, value($0)) }
    }

    /// Adds a value that only JSON contains; a missing value has no member.
    package mutating func member(_ key: String, ifPresent value: @escaping (Row) -> (some JSONRepresentable)?) {
        write { $1.member(key, ifPresent: value($0)) }
    }

    /// Adds members that only JSON contains.
    package mutating func write(_ members: @escaping (Row, inout JSONWriter) -> Void) {
        columns.append(Column(layout: Table.Column("", minimum: 0), member: members))
    }
}

/// A row of a table whose columns are declared once, for pages and commands.
package protocol Tabular {
    /// Declares the columns, from left to right and in the order of JSON members.
    static func columns(_ table: inout Columns<Self>)
}

extension Tabular {
    /// The declared columns.
    package static var table: Columns<Self> { Columns { columns(&$0) } }
}
