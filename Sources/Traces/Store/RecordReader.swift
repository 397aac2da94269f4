import GRDB
import JSON
import LanguageModels
import Workspace

/// Turns record references into texts, within one access to the database.
final class RecordReader {
    private let sources: SourceReader
    private let formatOfSource: Workspace.Statement
    private var importers: [Int64: any TraceImporter.Type] = [:]
    private let parser = JSONParser()
    /// The record parsed last; its bytes are in `room`, its tree in the parser's memory.
    private var last: (record: RecordReference, node: JSONNode?)?
    private var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)

    /// Spans read from more records than these show the first ones.
    private static let mostRecords = 256

    init(_ database: Database, cache: BlockCache?) throws {
        sources = try SourceReader(database, cache: cache)
        formatOfSource = try Workspace.Statement(
            database, "SELECT word.text FROM source JOIN word ON word.id = source.format WHERE source.id = ?")
    }

    deinit { room.deallocate() }

    /// Returns the text of a message; `nil` if its record is missing or corrupt.
    func message(_ entry: MessageEntry) throws -> Message? {
        guard let importer = try importer(of: entry.record.source) else { return nil }
        return try withNode(entry.record) { node in importer.message(entry.index, of: node) } ?? nil
    }

    func details(of span: Span) throws -> SpanDetails {
        try withRecords(of: span) { importer, records in importer.details(of: span, records: records) } ?? SpanDetails()
    }

    /// Returns what a search recorded; `nil` if it recorded nothing.
    func retrieval(of span: Span) throws -> RecordedRetrieval? {
        try withRecords(of: span) { importer, records in importer.retrieval(of: span, records: records) } ?? nil
    }

    private func withRecords<Result>(
        of span: Span, _ body: (any TraceImporter.Type, [JSONNode]) -> Result
    ) throws -> Result? {
        guard let first = span.records.first, let importer = try importer(of: first.source) else { return nil }
        // All records of a span are asked about at once: each needs a tree of its own.
        var documents: [JSONDocument] = []
        for record in span.records.prefix(Self.mostRecords) {
            if let document = try? JSONDocument(parsing: sources.bytes(record)) { documents.append(document) }
        }
        return Self.withRoots(documents[...], []) { body(importer, $0) }
    }

    func sentence(of event: TraceEvent) throws -> String {
        guard let importer = try importer(of: event.record.source) else { return event.name }
        return try withNode(event.record) { importer.sentence(of: event, record: $0) } ?? event.name
    }

    private static func withRoots<Result>(
        _ documents: ArraySlice<JSONDocument>, _ roots: [JSONNode], _ body: ([JSONNode]) -> Result
    ) -> Result {
        guard let first = documents.first else { return body(roots) }
        return first.withRoot { withRoots(documents.dropFirst(), roots + [$0], body) }
    }

    /// Runs `body` on the tree of a record; returns `nil` if the record is missing or not JSON.
    private func withNode<Result>(_ record: RecordReference, _ body: (JSONNode) throws -> Result) throws -> Result? {
        if last?.record != record {
            last = nil
            let node = try sources.withBytes(record) { bytes -> JSONNode? in
                if room.count < bytes.count {
                    room.deallocate()
                    room = .allocate(capacity: max(bytes.count, 2 * room.count))
                }
                _ = room.initialize(fromContentsOf: bytes)
                return try? parser.parse(UnsafeBufferPointer(rebasing: room[..<bytes.count]))
            }
            last = (record, node)
        }
        return try last?.node.map(body)
    }

    private func importer(of source: Int64) throws -> (any TraceImporter.Type)? {
        if let known = importers[source] { return known }
        formatOfSource.bind(1, source)
        guard let format = try formatOfSource.first({ $0.text(0) }) else { return nil }
        let importer = TraceFormats.named(format)
        importers[source] = importer
        return importer
    }
}
