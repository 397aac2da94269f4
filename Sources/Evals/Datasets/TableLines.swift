internal import Retrieval

/// Lines of a table as texts; input that `DelimitedRows` would guess at is an error here.
struct TableLines {
    private let rows: DelimitedRows

    init(_ delimiter: UInt8 = 0x2C, fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        rows = DelimitedRows(delimiter: delimiter, fill: fill)
    }

    /// Returns the next line that is not empty, and its line number.
    ///
    /// - Throws: `DelimitedRows.Trouble`, and what `fill` throws.
    func next() throws -> (line: Int, fields: [String])? {
        let row = try rows.next()
        if let trouble = rows.troubles.first { throw trouble }
        return row.map { row in (row.line, row.fields.map { row.text($0).text }) }
    }

    static func error(_ trouble: DelimitedRows.Trouble, in path: String) -> TaskError {
        switch trouble {
        case .openQuote(let line): TaskError(path: path, line: line, problem: "a quoted field is not closed")
        case .oversized(let line): TaskError(path: path, line: line, problem: "the line is longer than 16 MiB")
        }
    }
}
