internal import Bytes

/// A table with a row of names: each further row is a document.
///
/// A column that holds the text (``RecordFields/text``) is the document's text; without such a column, the text is
/// all columns, with one `name: value` per line. Every other column is metadata.
enum TableReader: SourceReader {
    static let kind = SourceKind.table
    static let summary = "CSV and TSV: one document per row; the first row names the columns"
    static let suffixes = [".csv", ".tsv", ".tab"]

    static func recognizes(_ head: SourceHead) -> Bool { false }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        let open = try OpenFile(file.path)
        let rows = DelimitedRows(delimiter: try delimiter(file), most: options.maximumRecordBytes) {
            try open.read(into: $0)
        }
        guard let header = try rows.next() else { return }
        var columns = Columns(header, options.fields)
        report(rows.troubles, sink, options)
        if !columns.hasNames, let document = columns.document(header, file, sink) { try sink.take(document) }
        while !sink.isEnded, let row = try rows.next() {
            report(rows.troubles, sink, options)
            sink.count(bytes: row.bytes.count + 1)
            if let document = columns.document(row, file, sink) { try sink.take(document) }
        }
        report(rows.troubles, sink, options)
        if columns.latinRows > 0 { sink.note("Lines that are not UTF-8 were read as Latin-1 (Windows-1252).") }
        if columns.irregularRows > 0 {
            let count = columns.irregularRows
            sink.note("\(count == 1 ? "One row has" : "\(count) rows have") more fields than the header row.")
        }
        withExtendedLifetime(open) {}
    }

    static func report(_ troubles: [DelimitedRows.Trouble], _ sink: DocumentSink, _ options: ExtractionOptions) {
        for trouble in troubles {
            switch trouble {
            case .openQuote(let line):
                sink.note("Line \(line): unclosed quote; the line was read without quotes.")
            case .oversized(let line):
                sink.skip(line: line, "the row is longer than the limit of \(options.maximumRecordBytes) bytes")
            }
        }
    }

    /// Returns the mark that stands most often in the first line, outside quotes.
    private static func delimiter(_ file: SourceFile) throws -> UInt8 {
        if file.suffix == ".tsv" || file.suffix == ".tab" { return 0x09 }
        var head = [UInt8](repeating: 0, count: 1 << 16)
        let open = try OpenFile(file.path)
        let count = try head.withUnsafeMutableBytes { try open.read(into: $0) }
        var counts: [(mark: UInt8, count: Int)] = ",;\t|".utf8.map { ($0, 0) }
        var isQuoted = false
        for byte in head[..<count] {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == 0x0A, !isQuoted { break }
            if !isQuoted, let place = counts.firstIndex(where: { $0.mark == byte }) { counts[place].count += 1 }
        }
        return counts.max { $0.count < $1.count }.map { $0.count > 0 ? $0.mark : 0x2C } ?? 0x2C
    }
}

/// The columns of a table.
private struct Columns {
    private var names: [String]
    private let text: Int?
    private let title: Int?
    private let id: Int?
    let hasNames: Bool
    private(set) var latinRows = 0
    private(set) var irregularRows = 0

    init(_ header: DelimitedRows.Row, _ fields: RecordFields) {
        let found = header.fields.map { field in
            header.text(field).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let lower = found.map { $0.lowercased() }
        // Names are words, each another; numbers and gaps are a row of values.
        hasNames =
            Set(lower).count == lower.count
            && !found.contains { name in
                if case .text(let text) = MetadataValue(parsing: name) { return text.isEmpty || text.utf8.count > 200 }
                return true
            }
        names = hasNames ? found : found.indices.map { "column \($0 + 1)" }
        let known = hasNames ? lower : []
        func place(_ list: [String]) -> Int? {
            list.lazy.compactMap { name in known.firstIndex(of: name.lowercased()) }.first
        }
        (text, title, id) = (place(fields.text), place(fields.title), place(fields.id))
    }

    mutating func document(_ row: DelimitedRows.Row, _ file: SourceFile, _ sink: DocumentSink) -> SourceDocument? {
        if row.fields.count > names.count { irregularRows += 1 }
        while names.count < row.fields.count, names.count < 10_000 { names.append("column \(names.count + 1)") }
        var document = SourceDocument(
            id: "\(file.name)#\(row.line)", text: "", kind: file.kind,
            origin: SourceOrigin(path: file.path, bytes: row.offset..<row.offset + row.bytes.count, line: row.line))
        var isLatin = false
        var all = ""
        var builder = OffsetMap.Builder()
        for (column, field) in row.fields.enumerated() where column < names.count {
            let (value, wasLatin) = row.text(field)
            isLatin = isLatin || wasLatin
            let isCopied = !field.hasQuotes && !wasLatin
            if column == text {
                document.text = value
                document.offsets = isCopied ? OffsetMap(base: row.offset + field.range.lowerBound) : nil
                continue
            }
            if column == id, !value.isEmpty { document.id = value } else if column == title { document.title = value }
            if value.isEmpty { continue }
            if text == nil {
                builder.add(text: all.utf8.count, source: field.range.lowerBound, sourceStep: 0)
                all += (all.isEmpty ? "" : "\n") + names[column] + ": "
                if isCopied {
                    builder.add(text: all.utf8.count, source: field.range.lowerBound)
                } else {
                    builder.add(
                        text: all.utf8.count, source: field.range.lowerBound, textStep: value.utf8.count,
                        sourceStep: field.range.count)
                }
                all += value
            }
            if column != id, column != title { document.metadata[names[column]] = MetadataValue(parsing: value) }
        }
        if isLatin { latinRows += 1 }
        if text == nil {
            document.text = all
            document.offsets = builder.map(base: row.offset)
        }
        guard !document.text.isEmpty else {
            sink.skip(line: row.line, "the row has no text")
            return nil
        }
        return document
    }
}
