internal import Bytes

/// Passages as MS MARCO has them: identifier, tab, text; or documents: identifier, address, title, body. No names.
enum MSMARCOReader: SourceReader {
    static let kind = SourceKind.msMarco
    static let summary = "MS MARCO: TSV without a header: id and text, or id, URL, title, and body"
    static let suffixes: [String] = []

    static func recognizes(_ head: SourceHead) -> Bool {
        guard head.suffix == ".tsv" else { return false }
        let lines = head.lines.filter { !$0.isEmpty }.prefix(20)
        guard let first = lines.first else { return false }
        let width = first.split(separator: 0x09, omittingEmptySubsequences: false).count
        guard width == 2 || width == 4 else { return false }
        return lines.allSatisfy { line in
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
            // The last line may be cut by the head's end.
            guard fields.count == width || !head.isWhole && lines.count == 1 else { return false }
            let id = fields[0].first == UInt8(ascii: "D") ? fields[0].dropFirst() : fields[0]
            return !id.isEmpty && id.allSatisfy { (0x30...0x39).contains($0) } && fields[width - 1].contains(0x20)
        }
    }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        let open = try OpenFile(file.path)
        let rows = DelimitedRows(delimiter: 0x09, quotes: false, most: options.maximumRecordBytes) {
            try open.read(into: $0)
        }
        var latinRows = 0
        while !sink.isEnded, let row = try rows.next() {
            TableReader.report(rows.troubles, sink, options)
            sink.count(bytes: row.bytes.count + 1)
            let width = row.fields.count
            guard width == 2 || width == 4 else {
                sink.skip(line: row.line, "the line has \(width) fields instead of two or four")
                continue
            }
            let (text, isLatin) = row.text(row.fields[width - 1])
            if isLatin { latinRows += 1 }
            var document = SourceDocument(
                id: row.text(row.fields[0]).text, text: text,
                offsets: isLatin ? nil : OffsetMap(base: row.offset + row.fields[width - 1].range.lowerBound),
                kind: file.kind,
                origin: SourceOrigin(path: file.path, bytes: row.offset..<row.offset + row.bytes.count, line: row.line))
            if width == 4 {
                document.title = row.text(row.fields[2]).text
                document.metadata["url"] = .text(row.text(row.fields[1]).text)
            }
            try sink.take(document)
        }
        TableReader.report(rows.troubles, sink, options)
        if latinRows > 0 { sink.note("Lines that are not UTF-8 were read as Latin-1 (Windows-1252).") }
        withExtendedLifetime(open) {}
    }
}
