package import JSON
package import Tables

/// Rows that a command lists.
package struct Listing<Row>: Presentable {
    private let rows: [Row]
    private let key: String
    private let empty: String?
    private let isEmptyNote: Bool
    private let remarks: [String]
    package var status: Int32
    private let columns: Columns<Row>
    private let members: ((inout JSONWriter) -> Void)?
    /// Lines above the table.
    package var heading: String?
    /// Lines below the table.
    package var footing: String?
    /// Text in place of the table.
    package var text: String?
    /// Writes JSON members before the rows.
    package var leading: ((inout JSONWriter) -> Void)?
    /// JSON in place of the rows.
    package var json: (any JSONRepresentable)?

    /// - Parameters:
    ///   - key: JSON key of the rows.
    ///   - empty: Sentence in place of a table without rows; `nil` prints the header alone.
    ///   - isEmptyNote: Whether that sentence goes to standard error.
    ///   - notes: Sentences for standard error, below the rows.
    ///   - members: Writes JSON members after the rows.
    ///   - columns: Declares the columns.
    package init(
        _ rows: [Row], _ key: String, empty: String? = nil, isEmptyNote: Bool = false, notes: [String] = [],
        status: Int32 = 0, members: ((inout JSONWriter) -> Void)? = nil, columns: (inout Columns<Row>) -> Void
    ) {
        self.rows = rows
        self.key = key
        self.empty = empty
        self.isEmptyNote = isEmptyNote
        remarks = notes
        self.status = status
        self.members = members
        self.columns = Columns(columns)
    }

    /// Creates a listing of rows with declared columns.
    package init(
        _ rows: [Row], _ key: String, empty: String? = nil, isEmptyNote: Bool = false, notes: [String] = [],
        status: Int32 = 0, members: ((inout JSONWriter) -> Void)? = nil
    ) where Row: Tabular {
        self.init(
            rows, key, empty: empty, isEmptyNote: isEmptyNote, notes: notes, status: status, members: members,
            columns: Row.columns)
    }

    package var notes: [String] { rows.isEmpty && isEmptyNote ? [empty ?? ""] + remarks : remarks }

    package func text(_ form: OutputForm) -> String? {
        switch form {
        case .csv: return columns.text(rows, .csv)
        case .markdown: return columns.text(rows, .markdown)
        case .text, .json:
            if rows.isEmpty, let empty { return isEmptyNote ? nil : empty }
            return text ?? [heading, columns.text(rows), footing].compactMap(\.self).joined(separator: "\n")
        }
    }

    package func write(to json: inout JSONWriter) {
        if let whole = self.json { return whole.write(to: &json) }
        json.object { json in
            leading?(&json)
            json.member(key, columns.records(rows))
            members?(&json)
        }
    }
}
