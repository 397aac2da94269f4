internal import Glibc
internal import JSON
internal import System

/// One JSON object a line: its text is the document, its other members are metadata.
enum JSONLinesReader: SourceReader {
    static let kind = SourceKind.jsonLines
    static let summary = "JSON Lines or a JSON array: text, title, and id; other members become metadata"
    static let suffixes = [".jsonl", ".ndjson", ".jsonlines"]

    static func recognizes(_ head: SourceHead) -> Bool {
        let start = head.start
        switch head.suffix {
        case ".json":
            // An array of objects, of which the first has a text.
            guard start.hasPrefix("[") else { return false }
            let text = String(decoding: head.bytes, as: UTF8.self)
            return RecordFields().text.contains { text.contains("\"\($0)\"") }
        case "", ".txt":
            let lines = head.lines
            guard start.hasPrefix("{"), lines.count > 1 else { return false }
            return lines[0].last == UInt8(ascii: "}") && lines[1].first.map { $0 == UInt8(ascii: "{") } ?? true
        default: return false
        }
    }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        try JSONRecords.read(file, fields: options.fields, options, into: sink)
    }
}

/// A collection of the BEIR kind: `corpus.jsonl` in a folder with queries and judgments.
enum BEIRReader: SourceReader {
    static let kind = SourceKind.beir
    static let summary = "BEIR: corpus.jsonl next to queries.jsonl and qrels"
    static let suffixes: [String] = []

    static func recognizes(_ head: SourceHead) -> Bool { head.hasBEIRNeighbors && head.name == "corpus.jsonl" }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        var fields = RecordFields()
        (fields.id, fields.title, fields.text) = (["_id"], ["title"], ["text"])
        try JSONRecords.read(file, fields: fields, options, into: sink)
    }

    /// Returns why another file in a collection's folder is not a document; `nil` if it is one.
    static func reasonToSkip(_ name: String) -> String? {
        let last = name.split(separator: "/").last ?? ""
        if last == "queries.jsonl" { return "queries of a BEIR collection, not documents" }
        return nil
    }
}

/// Streams a file of JSON objects.
enum JSONRecords {
    static func read(
        _ file: SourceFile, fields: RecordFields, _ options: ExtractionOptions, into sink: DocumentSink
    ) throws {
        let open = try OpenFile(file.path)
        posix_fadvise(open.descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        let reader = JSONRecordReader(
            fileDescriptor: open.descriptor, framing: file.suffix == ".json" ? .automatic : .lines,
            maximumRecordBytes: options.maximumRecordBytes)
        let parser = JSONParser(maximumDepth: 256)
        let members = RecordMembers(fields)
        while !sink.isEnded, let record = try next(reader, file) {
            guard record.ending != .oversized else {
                sink.skip(
                    line: record.line,
                    "the record has \(record.length) bytes, more than the limit of \(options.maximumRecordBytes)")
                continue
            }
            if record.length == 0 { continue }
            sink.count(bytes: record.length + 1)
            var document: SourceDocument?
            do {
                document = try parser.parse(record.bytes) { try members.document(of: $0, record, file) }
            } catch let error as JSONError {
                sink.skip(line: record.line, "invalid JSON: \(error.problem.sentence)".trimmingEnd("."))
            } catch let error as Problem {
                sink.skip(line: record.line, error.what)
            }
            if let document { try sink.take(document) }
        }
        withExtendedLifetime(open) {}
    }

    private static func next(_ reader: JSONRecordReader, _ file: SourceFile) throws(Problem) -> JSONRecord? {
        do { return try reader.next() } catch {
            throw Problem(.failed, file.path, "reading failed: \(error)", remedy: "Check the disk.")
        }
    }
}

extension String {
    func trimmingEnd(_ mark: Character) -> String { last == mark ? String(dropLast()) : self }
}
