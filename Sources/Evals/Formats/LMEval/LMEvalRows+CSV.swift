internal import Bytes
internal import JSON
internal import System

extension LMEvalRows {
    /// Parses a table with a header (RFC 4180). Columns of only integers, numbers, or `True` and `False` become such
    /// values; empty fields become null.
    static func table(_ bytes: UnsafeRawBufferPointer, _ path: String) throws(Problem) -> [JSONValue] {
        var lines = try lines(bytes, path)
        guard !lines.isEmpty else { return [] }
        let names = lines.removeFirst().fields
        for (line, fields) in lines where fields.count != names.count {
            throw Problem(
                .invalid, path, line: line, "the row has \(fields.count) fields, but the header has \(names.count)")
        }
        let makers = names.indices.map { column in maker(lines.lazy.map { $0.fields[column] }) }
        return lines.map { _, fields in
            .object(
                names.indices.map { column in
                    JSONValue.Member(key: names[column], value: makers[column](fields[column]))
                })
        }
    }

    private static let missing: Set<String> = [
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
        "NULL", "NaN", "None", "n/a", "nan", "null",
    ]

    private static func maker(_ texts: some Sequence<String>) -> (String) -> JSONValue {
        let there = texts.filter { !missing.contains($0) }
        let hasMissing = texts.contains { missing.contains($0) }
        if !there.isEmpty, there.allSatisfy({ Int($0) != nil }) {
            // A column with gaps has no integers in Python's tables.
            return { text in Int(text).map { hasMissing ? .number(Double($0)) : .integer($0) } ?? .null }
        }
        if !there.isEmpty, there.allSatisfy({ Double($0) != nil }) {
            return { Double($0).map { .number($0) } ?? .null }
        }
        if !there.isEmpty, !hasMissing,
            there.allSatisfy({ ["True", "False", "TRUE", "FALSE", "true", "false"].contains($0) })
        {
            return { .bool($0.lowercased() == "true") }
        }
        return { missing.contains($0) ? .null : .string($0) }
    }

    private static func lines(
        _ bytes: UnsafeRawBufferPointer, _ path: String
    ) throws(Problem) -> [(line: Int, fields: [String])] {
        let table = TableLines(path: path, read: ByteWindow.source(bytes))
        var lines: [(line: Int, fields: [String])] = []
        do {
            while let line = try table.next() { lines.append(line) }
        } catch {
            throw error as? Problem ?? Problem(.failed, path, "the file cannot be read")
        }
        return lines
    }
}
