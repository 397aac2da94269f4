internal import Formatting
internal import JSON
internal import LanguageModels
internal import Traces

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
    public let spans: [RetrievalSpan]
    let calls: [(stage: String, call: ModelCall)]

    public init(_ traced: TracedRecord) {
        let record = traced.record
        let seed = Digest.of("\(traced.start) \(record.query)")
        id = Self.digits(seed) + Self.digits(Digest.of(record.query, seed: seed))
        calls = traced.calls.all
        var spans = [Self.root(traced)]
        for stage in record.stages {
            let start = traced.times[stage.name] ?? traced.start
            let length = stage.seconds.map { Int64(max(0, min($0, 1e6)) * 1e9) } ?? 0
            let span = RetrievalSpan(
                id: Self.digits(UInt64(spans.count + 1)), parent: spans[0].id, name: stage.name,
                kind: Self.kind(stage.kind), start: start, end: start + length,
                attributes: Self.attributes(of: stage, record))
            spans.append(span)
        }
        self.spans = spans
    }

    private static func kind(_ kind: Stage.Kind) -> RetrievalSpan.Kind {
        switch kind {
        case .lexical, .dense, .fused, .retrieved: .retriever
        case .reranked: .reranker
        case .context: .chain
        }
    }

    private static func root(_ traced: TracedRecord) -> RetrievalSpan {
        let record = traced.record
        let length = Int64(max(0, min(record.seconds ?? 0, 1e6)) * 1e9)
        var attributes: [RetrievalSpan.Attribute] = [.init("input.value", .text(record.query))]
        if let answer = record.answer { attributes.append(.init("output.value", .text(answer.text))) }
        var name = "retrieval"
        if case .pipeline(let pipeline, let version, let corpus) = record.origin {
            name = pipeline
            attributes.append(.init("orrery.pipeline.name", .text(pipeline)))
            attributes.append(.init("orrery.pipeline.version", .integer(version)))
            attributes.append(.init("orrery.corpus", .text(corpus)))
        }
        for (index, rewrite) in record.rewrites.enumerated() {
            attributes.append(.init("orrery.rewrite.\(index).kind", .text(rewrite.kind)))
            attributes.append(.init("orrery.rewrite.\(index).text", .text(rewrite.text)))
        }
        for (index, note) in record.notes.enumerated() { attributes.append(.init("orrery.note.\(index)", .text(note))) }
        let caption = record.query.prefix(60).split(whereSeparator: \.isNewline).joined(separator: " ")
        return RetrievalSpan(
            id: digits(1), parent: nil, name: caption.isEmpty ? name : "\(name): \(caption)", kind: .chain,
            start: traced.start, end: traced.start + length, attributes: attributes)
    }

    private static func attributes(of stage: Stage, _ record: RetrievalRecord) -> [RetrievalSpan.Attribute] {
        var attributes: [RetrievalSpan.Attribute] = [.init("orrery.stage.kind", .text(stage.kind.rawValue))]
        let kept = stage.entries.filter(\.verdict.isKept)
        switch stage.kind {
        case .reranked:
            attributes.append(.init("reranker.query", .text(record.query)))
            if let model = stage.parameters.first(where: { ["model", "method"].contains($0.name) }) {
                let named = stage.parameters.first { $0.name == "model" } ?? model
                attributes.append(.init("reranker.model_name", .text(named.value)))
            }
            if let most = stage.kept { attributes.append(.init("reranker.top_k", .integer(most))) }
            let input = record.stages.first { $0.name == stage.inputs.first }?.entries.filter(\.verdict.isKept) ?? []
            attributes += documents(input, record, under: "reranker.input_documents")
            attributes += documents(kept, record, under: "reranker.output_documents")
        case .context:
            attributes.append(.init("input.value", .text(record.query)))
            if let context = record.context {
                let blocks = context.passages.map { piece in
                    (
                        mark: piece.mark, label: record[piece.passage].label,
                        text: piece.text ?? record[piece.passage].text ?? ""
                    )
                }
                attributes.append(.init("output.value", .text(AnswerPrompt.context(blocks))))
                attributes.append(.init("orrery.context.used", .integer(context.used)))
            }
            // Their texts stand in the output.
            attributes += documents(kept, record, under: "retrieval.documents", hasTexts: false)
        default:
            attributes.append(.init("input.value", .text(record.query)))
            if let most = stage.kept { attributes.append(.init("retrieval.top_k", .integer(most))) }
            attributes += documents(kept, record, under: "retrieval.documents")
        }
        for parameter in stage.parameters {
            attributes.append(.init("orrery.retrieval.\(parameter.name)", .text(parameter.value)))
        }
        if let note = stage.note { attributes.append(.init("orrery.note", .text(note))) }
        return attributes
    }

    private static func documents(
        _ entries: [Stage.Entry], _ record: RetrievalRecord, under list: String, hasTexts: Bool = true
    ) -> [RetrievalSpan.Attribute] {
        var attributes: [RetrievalSpan.Attribute] = []
        for (index, entry) in entries.enumerated() {
            let passage = record[entry.passage]
            let place = "\(list).\(index).document"
            let id = passage.chunk.map { String($0) } ?? passage.document
            attributes.append(.init("\(place).id", .text(id)))
            if let score = entry.score { attributes.append(.init("\(place).score", .number(score))) }
            if hasTexts, let text = passage.text { attributes.append(.init("\(place).content", .text(text))) }
            var metadata = JSONWriter()
            metadata.object { $0.member("source", passage.document) }
            attributes.append(.init("\(place).metadata", .text(metadata.text)))
        }
        return attributes
    }

    /// 16 hexadecimal digits.
    static func digits(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }
}
