internal import Bytes
package import JSON
package import System

/// A row of a dataset, with its line.
package struct DataRow {
    /// Object of columns by name.
    package var fields: JSONValue
    /// Line number, starting at 1; `nil` if the row is not on a line of a file.
    package var line: Int?
}

/// Reader of rows in a data file: JSON Lines, a list of objects, an object with one such list, or a table with a
/// header; optionally gzipped.
package enum DataRows {
    /// Passes row after row to `body` until it returns `false`; at most one row is in memory.
    ///
    /// - Parameter member: Key of the list of rows in an object (default: `examples`, `data`, `rows`, or `instances`).
    package static func read(
        _ path: String, member: String? = nil, _ body: (DataRow) throws(Problem) -> Bool
    ) throws(Problem) {
        guard let bytes = GzipFile(path) else {
            if let oddity = ByteFile.oddity(path) {
                throw Problem(.failed, path, oddity, remedy: "Write the data to a file first; gzip is supported.")
            }
            throw Problem(.invalid, path, "the file cannot be read", remedy: "Name an existing file.")
        }
        var plain = path
        if plain.hasSuffix(".gz") { plain.removeLast(3) }
        do {
            if plain.hasSuffix(".csv") || plain.hasSuffix(".tsv") {
                let delimiter: UInt8 = plain.hasSuffix(".tsv") ? 0x09 : 0x2C
                try table(path, TableLines(delimiter, path: path) { try bytes.read(into: $0) }, body)
            } else {
                try records(path, JSONRecordReader { try bytes.read(into: $0) }, member, body)
            }
        } catch {
            throw error as? Problem ?? Problem(.invalid, path, "the file cannot be read")
        }
    }

    /// Returns the rows of a file, at most `limit`.
    package static func all(_ path: String, member: String? = nil, limit: Int? = nil) throws(Problem) -> [DataRow] {
        var rows: [DataRow] = []
        try read(path, member: member) { row in
            if let limit, rows.count >= limit { return false }
            rows.append(row)
            return true
        }
        return rows
    }

    private static func table(_ path: String, _ lines: TableLines, _ body: (DataRow) throws(Problem) -> Bool) throws {
        guard let names = try lines.next()?.fields else { return }
        guard Set(names).count == names.count else {
            throw Problem(.invalid, path, line: 1, "two columns have the same name")
        }
        while let (line, fields) = try lines.next() {
            guard fields.count <= names.count else {
                throw Problem(
                    .invalid, path, line: line,
                    "the row has \(fields.count) fields, but the first line has \(names.count)",
                    remedy: "Quote fields that contain commas.")
            }
            let members = zip(names, fields).map { JSONValue.Member(key: $0, value: .string($1)) }
            let missing = names[fields.count...].map { JSONValue.Member(key: $0, value: .string("")) }
            if try !body(DataRow(fields: .object(members + missing), line: line)) { return }
        }
    }

    private static func records(
        _ path: String, _ reader: JSONRecordReader, _ member: String?, _ body: (DataRow) throws(Problem) -> Bool
    ) throws {
        let parser = JSONParser()
        var count = 0
        /// Hold back the first object until it is clear whether it is the only one and has the rows.
        var first: DataRow?
        while let record = try reader.next() {
            count += 1
            if case .oversized = record.ending {
                throw Problem(.limit, path, line: record.line, "a row is larger than 64 MiB")
            }
            let value: JSONValue
            do throws(JSONError) {
                value = try JSONValue(parser.parse(record.bytes))
            } catch {
                throw Problem(.invalid, path, line: record.line, "the line is not valid JSON", remedy: error.sentence)
            }
            guard value.members != nil else {
                throw Problem(
                    .invalid, path, line: record.line, "the row is not an object",
                    remedy: "Write each row as an object, such as {\"question\": \"...\", \"answer\": \"...\"}.")
            }
            let row = DataRow(fields: value, line: record.line)
            if count == 1 {
                first = row
                continue
            }
            if let held = first {
                first = nil
                if try !body(held) { return }
            }
            if try !body(row) { return }
        }
        guard let only = first else { return }
        guard let rows = list(in: only.fields, member) else {
            if let member {
                throw Problem(.missing, path, line: only.line, "the list \"\(member)\" is missing")
            }
            _ = try body(only)
            return
        }
        for (index, row) in rows.enumerated() {
            guard row.members != nil else {
                throw Problem(.invalid, path, line: only.line, "element \(index + 1) of the list is not an object")
            }
            if try !body(DataRow(fields: row, line: nil)) { return }
        }
    }

    private static func list(in object: JSONValue, _ member: String?) -> [JSONValue]? {
        if let member { return object[member]?.elements }
        for name in ["examples", "data", "rows", "instances"] {
            if let rows = object[name]?.elements, !rows.isEmpty, rows.allSatisfy({ $0.members != nil }) { return rows }
        }
        return nil
    }
}
