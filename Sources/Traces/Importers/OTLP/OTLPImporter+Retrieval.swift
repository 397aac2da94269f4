public import JSON

extension OTLPImporter {
    /// Documents are believed in this order: flattened lists of OpenInference, `gen_ai.retrieval.documents`, and the
    /// JSON of what the span gave back, as retrievers of several libraries write it.
    public static func retrieval(of span: Span, records: [JSONNode]) -> RecordedRetrieval? {
        guard let record = records.last else { return nil }
        var attributes = OTLPAttributes()
        attributes.read(record["attributes"])
        var found = RecordedRetrieval(query: (attributes[.query] ?? attributes[.inputValue])?.text)
        found.model = span.model
        found.inputs = flattened(attributes, .rerankerInput)
        found.documents = flattened(attributes, .rerankerOutput)
        if found.documents.isEmpty { found.documents = flattened(attributes, .documents) }
        if found.documents.isEmpty,
            let list = attributes[.documents] ?? attributes[.toolResult] ?? attributes[.outputValue]
        {
            found.documents = listed(list)
        }
        for pair in record["attributes"]?.elements ?? record.elements {
            guard let key = pair["key"]?.string, let value = pair["value"].map({ OTLPValue.wrapped($0) }) else {
                continue
            }
            switch key {
            case "reranker.top_k", "retrieval.top_k": found.limit = value.int.flatMap { Int(exactly: $0) }
            case "orrery.stage.kind": found.stage = value.string
            default:
                guard key.hasPrefix("orrery.retrieval."), found.settings.count < 64 else { continue }
                found.settings.append(.init(String(key.dropFirst("orrery.retrieval.".count)), value.text))
            }
        }
        return found.documents.isEmpty && found.inputs.isEmpty ? nil : found
    }

    // MARK: Flattened lists

    /// The most documents of a list that are read.
    private static let mostDocuments = 10_000

    private static func flattened(_ attributes: OTLPAttributes, _ list: OTLPList) -> [RecordedRetrieval.Document] {
        var found: [Int: RecordedRetrieval.Document] = [:]
        for item in attributes.items where item.list == list && item.index < mostDocuments {
            var path = FlatPath(bytes: item.path)
            guard path.take("document.") else { continue }
            let value = item.value
            if path.is("id") {
                found[item.index, default: .init()].id = value.text
            } else if path.is("score") {
                found[item.index, default: .init()].score = value.double
            } else if path.is("content") {
                found[item.index, default: .init()].text = value.text
            } else if path.is("metadata") {
                found[item.index, default: .init()].source = source(inMetadata: value)
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Metadata is JSON in a string, or an object.
    private static func source(inMetadata value: OTLPValue) -> String? {
        // Text that is not JSON names no source.
        if let text = value.string, let document = try? JSONDocument(parsing: text) {
            return document.withRoot { source(in: .plain($0)) }
        }
        return source(in: value)
    }

    private static func source(in metadata: OTLPValue) -> String? {
        metadata.member("source", or: "path", "file_path", "file_name", "url", "uri")?.string
    }

    // MARK: Lists in one value

    private static func listed(_ value: OTLPValue) -> [RecordedRetrieval.Document] {
        if let text = value.string {
            // Text that is not JSON lists no documents.
            guard let document = try? JSONDocument(parsing: text) else { return [] }
            return document.withRoot { listed(.plain($0)) }
        }
        if value.shape == .object {
            guard let inner = value.member("documents", or: "nodes", "results", "matches", "docs", "chunks") else {
                return []
            }
            return listed(inner)
        }
        var documents: [RecordedRetrieval.Document] = []
        value.forEachElement { element in
            guard documents.count < mostDocuments else { return }
            let document = Self.document(element)
            if !document.isEmpty { documents.append(document) }
        }
        return documents
    }

    private static func document(_ value: OTLPValue) -> RecordedRetrieval.Document {
        guard value.shape == .object else { return .init(text: value.string) }
        // LlamaIndex wraps a node with its score.
        let inner = value.member("node", or: "document").flatMap { $0.shape == .object ? $0 : nil } ?? value
        let metadata = inner.member("metadata")
        return .init(
            id: inner.member("id", or: "id_", "_id", "doc_id", "document_id", "document")?.text
                ?? metadata?.member("id", or: "doc_id")?.text,
            score: value.member("score", or: "relevance_score", "similarity", "distance")?.double,
            text: inner.member("content", or: "text", "page_content", "chunk", "body")?.string,
            source: source(in: inner) ?? metadata.flatMap { source(in: $0) })
    }
}
