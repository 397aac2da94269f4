import LanguageModels
import Testing
import Traces

extension Trace {
    /// Reads the only trace of OTLP documents, one per sample span, as an import does.
    init(spans: [SpanRecord]) throws {
        let bytes = OTLPDocument(spans).bytes
        var importer = OTLPImporter()
        var assembly = TraceAssembly(format: OTLPImporter.format) { _ in nil }
        var source = TraceSource(bytes: bytes, path: "spans.jsonl", id: 1, isStrict: false)
        try importer.read(&source, into: &assembly)
        self = try #require(assembly.traces.first)
    }

    func spans(_ kind: SpanKind) -> [Span] { spans.filter { $0.kind == kind } }

    /// Returns the ordinals of a message and of everything before it, from the beginning.
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
