import JSON
import LanguageModels
import Traces

/// What an importer made of a text.
struct ImportedText {
    var traces: [Trace]
    var records: Int
    var skipped: Int
    var problems: [SkippedRecord]
    var pendingBytes: Int
    var bytes: [UInt8]

    /// The only trace.
    var trace: Trace { traces[0] }
    var totals: TraceTotals { traces.reduce(into: TraceTotals()) { $0 += TraceTotals(of: $1) } }
}

/// Reads a text with an importer, as if it were a file.
func importing(
    _ text: String, with importer: any TraceImporter.Type, path: String = "run.jsonl", isStrict: Bool = false,
    stored: [Trace] = []
) throws(ImportError) -> ImportedText {
    try importing([(path, text)], with: importer, isStrict: isStrict, stored: stored)
}

/// Reads several texts that belong together, one after the other.
func importing(
    _ files: [(path: String, text: String)], with type: any TraceImporter.Type, isStrict: Bool = false,
    stored: [Trace] = []
) throws(ImportError) -> ImportedText {
    var importer = type.init()
    var assembly = TraceAssembly(format: type.format) { id in stored.first { $0.summary.externalID == id } }
    var imported = ImportedText(traces: [], records: 0, skipped: 0, problems: [], pendingBytes: 0, bytes: [])
    for (number, file) in files.enumerated() {
        let bytes = Array(file.text.utf8)
        var source = TraceSource(bytes: bytes, path: file.path, id: Int64(number + 1), isStrict: isStrict)
        try importer.read(&source, into: &assembly)
        imported.records += source.records
        imported.skipped += source.skipped
        imported.problems += source.problems
        imported.pendingBytes = source.pendingBytes
        imported.bytes = bytes
    }
    imported.traces = assembly.traces
    return imported
}

extension Trace {
    func span(_ externalID: String) -> Span? { spans.first { $0.externalID == externalID } }

    func spans(_ kind: SpanKind) -> [Span] { spans.filter { $0.kind == kind } }

    /// A message and everything before it, as ordinals from the beginning.
    func conversation(to last: Int?) -> [Int] {
        var chain: [Int] = []
        var place = last
        while let ordinal = place {
            chain.append(ordinal)
            place = messages[ordinal].previous
        }
        return chain.reversed()
    }
}

extension ImportedText {
    /// The texts of a message, read from its record.
    func message(_ ordinal: Int, with importer: any TraceImporter.Type) throws -> Message? {
        let entry = trace.messages[ordinal]
        return try JSONParser().parse(slice(entry.record)) { importer.message(entry.index, of: $0) }
    }

    func details(_ span: Span, with importer: any TraceImporter.Type) throws -> SpanDetails {
        let documents = try span.records.map { try JSONDocument(parsing: slice($0)) }
        return details(span, documents, [], importer)
    }

    private func details(
        _ span: Span, _ documents: [JSONDocument], _ nodes: [JSONNode], _ importer: any TraceImporter.Type
    ) -> SpanDetails {
        guard let first = documents.first else { return importer.details(of: span, records: nodes) }
        return first.withRoot { details(span, Array(documents.dropFirst()), nodes + [$0], importer) }
    }

    func sentence(_ event: TraceEvent, with importer: any TraceImporter.Type) throws -> String {
        try JSONParser().parse(slice(event.record)) { importer.sentence(of: event, record: $0) }
    }

    func slice(_ record: RecordReference) -> [UInt8] { Array(bytes[record.offset..<(record.offset + record.length)]) }
}
