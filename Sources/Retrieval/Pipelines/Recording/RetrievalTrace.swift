internal import Formatting
internal import JSON
internal import LanguageModels
public import Traces

/// A run of a pipeline as the spans of a trace, in the words that other programs record theirs by (OpenInference), so
/// that one reader reads both.
///
/// The root is a chain; under it each searching stage is a retriever (those that fuse too: their documents are the
/// fused ranking), a reranker has what came in and what went out, the context is a chain whose output is the prompt's
/// part, and every call of a model is a span of its own. Documents are those that the stage let through.
public struct RetrievalTrace: Sendable {
    /// 16 bytes as hexadecimal digits.
    public let id: String
    /// The root first.
    public let spans: [SpanRecord]
    /// Calls of models, below the root.
    public let calls: [SpanRecord]

    public init(_ traced: TracedRecord) {
        let record = traced.record
        let seed = Digest.of("\(traced.start) \(record.query)")
        id = Self.digits(seed) + Self.digits(Digest.of(record.query, seed: seed))
        var spans = [Self.root(traced, id)]
        for stage in record.stages {
            let start = traced.times[stage.name] ?? traced.start
            let length = stage.seconds.map { Int64(max(0, min($0, 1e6)) * 1e9) } ?? 0
            var span = SpanRecord(
                trace: id, span: Self.digits(UInt64(spans.count + 1)), parent: spans[0].span, name: stage.name,
                start: start, end: start + length, status: .ok)
            Self.describe(stage, record, in: &span)
            spans.append(span)
        }
        let (trace, root, first) = (id, spans[0].span, spans.count + 1)
        calls = traced.calls.all.enumerated().map { index, made in
            made.call.span(Self.digits(UInt64(first + index)), below: root, inTrace: trace)
        }
        self.spans = spans
    }

    /// OpenInference's word for a stage.
    private static func kind(_ kind: Stage.Kind) -> String {
        switch kind {
        case .lexical, .dense, .fused, .retrieved: "RETRIEVER"
        case .reranked: "RERANKER"
        case .context: "CHAIN"
        }
    }

    private static func root(_ traced: TracedRecord, _ id: String) -> SpanRecord {
        let record = traced.record
        let length = Int64(max(0, min(record.seconds ?? 0, 1e6)) * 1e9)
        var span = SpanRecord(
            trace: id, span: digits(1), name: "retrieval", start: traced.start, end: traced.start + length, status: .ok)
        span.add("openinference.span.kind", "CHAIN")
        span.add("input.value", record.query)
        span.add("output.value", record.answer?.text)
        if case .pipeline(let pipeline, let version, let corpus) = record.origin {
            span.name = pipeline
            span.add("orrery.pipeline.name", pipeline)
            span.add("orrery.pipeline.version", version)
            span.add("orrery.corpus", corpus)
        }
        for (index, rewrite) in record.rewrites.enumerated() {
            span.add("orrery.rewrite.\(index).kind", rewrite.kind)
            span.add("orrery.rewrite.\(index).text", rewrite.text)
        }
        for (index, note) in record.notes.enumerated() { span.add("orrery.note.\(index)", note) }
        let caption = record.query.prefix(60).split(whereSeparator: \.isNewline).joined(separator: " ")
        if !caption.isEmpty { span.name += ": \(caption)" }
        return span
    }

    private static func describe(_ stage: Stage, _ record: RetrievalRecord, in span: inout SpanRecord) {
        span.add("openinference.span.kind", kind(stage.kind))
        span.add("orrery.stage.kind", stage.kind.rawValue)
        let kept = stage.entries.filter(\.verdict.isKept)
        switch stage.kind {
        case .reranked:
            span.add("reranker.query", record.query)
            if let model = stage.parameters.first(where: { ["model", "method"].contains($0.name) }) {
                let named = stage.parameters.first { $0.name == "model" } ?? model
                span.add("reranker.model_name", named.value)
            }
            span.add("reranker.top_k", stage.kept)
            let input = record.stages.first { $0.name == stage.inputs.first }?.entries.filter(\.verdict.isKept) ?? []
            add(input, record, under: "reranker.input_documents", to: &span)
            add(kept, record, under: "reranker.output_documents", to: &span)
        case .context:
            span.add("input.value", record.query)
            if let context = record.context {
                let blocks = context.passages.map { piece in
                    (
                        mark: piece.mark, label: record[piece.passage].label,
                        text: piece.text ?? record[piece.passage].text ?? ""
                    )
                }
                span.add("output.value", AnswerPrompt.context(blocks))
                span.add("orrery.context.used", context.used)
            }
            // Their texts stand in the output.
            add(kept, record, under: "retrieval.documents", hasTexts: false, to: &span)
        default:
            span.add("input.value", record.query)
            span.add("retrieval.top_k", stage.kept)
            add(kept, record, under: "retrieval.documents", to: &span)
        }
        for parameter in stage.parameters { span.add("orrery.retrieval.\(parameter.name)", parameter.value) }
        span.add("orrery.note", stage.note)
    }

    private static func add(
        _ entries: [Stage.Entry], _ record: RetrievalRecord, under list: String, hasTexts: Bool = true,
        to span: inout SpanRecord
    ) {
        for (index, entry) in entries.enumerated() {
            let passage = record[entry.passage]
            span.addDocument(
                index, under: list, id: passage.chunk.map { String($0) } ?? passage.document, score: entry.score,
                text: hasTexts ? passage.text : nil, source: passage.document)
        }
    }

    /// 16 hexadecimal digits.
    static func digits(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }
}
