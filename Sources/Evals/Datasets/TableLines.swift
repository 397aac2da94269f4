internal import Bytes
internal import System

/// Lines of a table as texts; input that `DelimitedRows` would guess at is an error here.
struct TableLines {
    private let path: String
    private let rows: DelimitedRows

    init(
        _ delimiter: UInt8 = 0x2C, path: String, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.path = path
        rows = DelimitedRows(delimiter: delimiter, read: read)
    }

    /// Returns the next line that is not empty, and its line number.
    ///
    /// - Throws: `Problem` with the line, and what `read` throws.
    func next() throws -> (line: Int, fields: [String])? {
        let row = try rows.next()
        if let trouble = rows.troubles.first { throw problem(trouble) }
        return row.map { row in (row.line, row.fields.map { row.text($0).text }) }
    }

    private func problem(_ trouble: DelimitedRows.Trouble) -> Problem {
        switch trouble {
        case .openQuote(let line): Problem(.invalid, path, line: line, "a quoted field is not closed")
        case .oversized(let line): Problem(.limit, path, line: line, "the line is longer than 16 MiB")
        }
    }
}
