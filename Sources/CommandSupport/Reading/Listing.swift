package import JSON
package import Tables

/// Rows that a command lists.
package struct Listing<Row: Tabular>: Presentable {
    private let rows: [Row]
    private let key: String
    private let empty: String?
    private let isEmptyNote: Bool
    private let remarks: [String]
    package var status: Int32
    private var columns = Row.table

    /// - Parameters:
    ///   - key: JSON key of the rows.
    ///   - empty: Sentence in place of a table without rows; `nil` prints the header alone.
    ///   - isEmptyNote: Whether that sentence goes to standard error.
    ///   - notes: Sentences for standard error, below the rows.
    package init(
        _ rows: [Row], _ key: String, empty: String? = nil, isEmptyNote: Bool = false, notes: [String] = [],
        status: Int32 = 0
    ) {
        self.rows = rows
        self.key = key
        self.empty = empty
        self.isEmptyNote = isEmptyNote
        remarks = notes
        self.status = status
    }

    package var notes: [String] { rows.isEmpty && isEmptyNote ? [empty ?? ""] + remarks : remarks }

    package func text(_ form: OutputForm) -> String? {
        switch form {
        case .csv: return columns.text(rows, .csv)
        case .markdown: return columns.text(rows, .markdown)
        case .text, .json:
            guard rows.isEmpty, let empty else { return columns.text(rows) }
            return isEmptyNote ? nil : empty
        }
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member(key, columns.records(rows)) } }
}
