package import Console
package import JSON

extension Columns {
    /// Forms of a printed table.
    package enum Form: Sendable {
        /// Aligned for a terminal.
        case text
        /// RFC 4180 with LF line ends; columns that declare values contain them without formatting.
        case csv
        case markdown
    }

    /// Returns the rows as a table with a header.
    package func text(_ rows: [Row], _ form: Form = .text) -> String {
        let shown = columns.filter { $0.cell != nil }
        let cells = rows.map { row in
            shown.map { column in
                if form == .csv, let value = column.value { return Escape.printable(value(row), keepingLines: true) }
                guard case .text(let cell) = column.cell else { return "" }
                return Escape.printable(cell(row).text, keepingLines: form == .csv)
            }
        }
        let titles = shown.map { form == .csv ? $0.name : $0.layout.title }
        switch form {
        case .text: return PlainTable.text([titles] + cells, alignments(shown))
        case .csv: return ([titles] + cells).map { $0.map(Self.quoted).joined(separator: ",") + "\n" }.joined()
        case .markdown:
            let rule = alignments(shown).map { $0 == .right ? "---:" : "---" }
            return ([titles.map(Self.escaped), rule] + cells.map { $0.map(Self.escaped) })
                .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        }
    }

    private func alignments(_ columns: [Column]) -> [Alignment] { columns.map(\.layout.alignment) }

    /// Returns a CSV field, quoted if it contains a comma, a quotation mark, or a line break.
    private static func quoted(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// Returns a cell without characters that Markdown would interpret.
    private static func escaped(_ cell: String) -> String {
        cell.unicodeScalars.map { "|\\`*_<]".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// Returns rows as JSON objects: the members of the columns, or, if they declare none, the rows' own JSON.
    package func records(_ rows: [Row]) -> [Record<Row>] {
        let members = columns.compactMap(\.member)
        return rows.map { Record(row: $0, members: members) }
    }
}

/// A row as JSON.
package struct Record<Row>: JSONRepresentable {
    let row: Row
    let members: [(Row, inout JSONWriter) -> Void]

    package func write(to json: inout JSONWriter) {
        if members.isEmpty, let row = row as? any JSONRepresentable { return row.write(to: &json) }
        json.object { json in for member in members { member(row, &json) } }
    }
}

/// Lines of cells aligned for a terminal; the last column takes the width that it needs.
package enum PlainTable {
    /// - Parameters:
    ///   - rows: Cells without line breaks, the same number in each row.
    ///   - alignments: Alignment of each column.
    package static func text(_ rows: [[String]], _ alignments: [Alignment]) -> String {
        let widths = alignments.indices.map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, zip(widths, alignments)).map { $0.paddedToColumns($1.0, $1.1) }
                .joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}

extension Tabular {
    /// The row as a JSON object.
    package var record: Record<Self> { Self.table.records([self])[0] }
}
