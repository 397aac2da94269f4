public import JSON
public import LanguageModels

extension OTLPImporter {
    public static func message(_ index: Int, of record: JSONNode) -> Message? {
        let messages = OTLPMessages()
        let name = eventName(of: record)
        if EventKind(name) != nil {
            return messages.read(event: name, record["attributes"], body: record["body"])
                ? messages.message(at: index)?.message : nil
        }
        var attributes = OTLPAttributes()
        attributes.read(record["attributes"])
        messages.read(attributes, events: record["events"])
        return messages.message(at: index)?.message
    }

    /// The name of a log record's event.
    private static func eventName(of record: JSONNode) -> JSONNode? {
        if let name = record["eventName"] { return name }
        guard record["spanId"] == nil || record["body"] != nil, let list = record["attributes"] else { return nil }
        return OTLPValue.pairs(list).member("event.name")?.stringNode
    }

    public static func details(of span: Span, records: [JSONNode]) -> SpanDetails {
        guard let record = records.last else { return SpanDetails() }
        var attributes = OTLPAttributes()
        attributes.read(record["attributes"])
        var details = SpanDetails()
        if span.kind != .model {
            details.input = (attributes[.toolArguments] ?? attributes[.query] ?? attributes[.inputValue])?.text
            details.output =
                (attributes[.toolResult] ?? attributes[.documents])?.text ?? documents(attributes)
                ?? attributes[.outputValue]?.text
        }
        if let message = record["status"]?["message"]?.nonEmptyString {
            details.attributes.append(.init("status", message))
        }
        for link in record["links"]?.elements ?? record.elements {
            guard let other = link["spanId"]?.nonEmptyString?.lowercased() else { continue }
            let trace = link["traceId"]?.nonEmptyString?.lowercased() ?? ""
            details.attributes.append(.init("link", cut("\(trace)/\(other)")))
            if details.attributes.count == 50 { break }
        }
        for pair in record["attributes"]?.elements ?? record.elements {
            guard let key = pair["key"]?.string, let value = pair["value"], !isContent(key, of: span.kind) else {
                continue
            }
            details.attributes.append(.init(key, cut(OTLPValue.wrapped(value).text)))
            if details.attributes.count == 200 { break }
        }
        return details
    }

    /// Values that are shown elsewhere: as messages, as input and output.
    private static func isContent(_ key: String, of kind: SpanKind) -> Bool {
        let prefixes = [
            "llm.input_messages.", "llm.output_messages.", "llm.prompts.", "llm.choices.", "llm.tools.",
            "gen_ai.prompt", "gen_ai.completion", "gen_ai.input.messages", "gen_ai.output.messages",
            "gen_ai.system_instructions", "gen_ai.tool.definitions", "ai.prompt", "ai.response.text",
            "ai.response.toolCalls", "retrieval.documents.", "reranker.input_documents.",
            "reranker.output_documents.", "orrery.prompt.ids", "orrery.prompt.tokens",
            "orrery.answer.steps",
        ]
        if prefixes.contains(where: { key.hasPrefix($0) }) { return true }
        let values = [
            "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "input.value", "output.value", "ai.toolCall.args",
            "ai.toolCall.result", "gen_ai.retrieval.query.text", "gen_ai.retrieval.documents",
        ]
        return kind != .model && values.contains(key)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > 4096 else { return text }
        return String(text.prefix(1000)) + "…"
    }

    /// The documents of a flattened list, best first as they were recorded: score, id, text.
    private static func documents(_ attributes: OTLPAttributes) -> String? {
        var found: [Int: (id: String?, score: Double?, content: String?)] = [:]
        for item in attributes.items where item.list == .documents {
            var path = FlatPath(bytes: item.path)
            _ = path.take("document.")
            let value = item.value
            if path.is("id") {
                found[item.index, default: (nil, nil, nil)].id = value.text
            } else if path.is("score") {
                found[item.index, default: (nil, nil, nil)].score = value.double
            } else if path.is("content") {
                found[item.index, default: (nil, nil, nil)].content = value.text
            }
        }
        guard !found.isEmpty else { return nil }
        return found.sorted { $0.key < $1.key }.map { index, document in
            let score = document.score.map { " (score \($0))" } ?? ""
            return "\(index + 1). \(document.id ?? "document")\(score)\n\(document.content ?? "")"
        }.joined(separator: "\n\n")
    }

    public static func sentence(of event: TraceEvent, record: JSONNode) -> String {
        guard let list = record["attributes"] ?? record["body"] else { return event.name }
        let value = OTLPValue.pairs(list)
        func text(_ name: StaticString) -> String? { value.member(name)?.string.map(SessionNames.oneLine) }
        switch event.kind {
        case .error where event.name == "exception":
            let texts = [text("exception.type"), text("exception.message")].compactMap { $0 }
            return texts.isEmpty ? event.name : texts.joined(separator: ": ")
        case .evaluation:
            let name = text("gen_ai.evaluation.name") ?? "evaluation"
            let score = value.member("gen_ai.evaluation.score.value")?.double.map { " \($0)" } ?? ""
            let label = text("gen_ai.evaluation.score.label").map { " \($0)" } ?? ""
            let why = text("gen_ai.evaluation.explanation").map { ": \($0)" } ?? ""
            return name + score + label + why
        default:
            if let body = record["body"], case let text = OTLPValue.wrapped(body).text, !text.isEmpty {
                return "\(event.name): \(SessionNames.oneLine(text))"
            }
            let facts = list.elements.prefix(3).compactMap { pair -> String? in
                guard let key = pair["key"]?.string, let value = pair["value"] else { return nil }
                return "\(key) = \(SessionNames.oneLine(OTLPValue.wrapped(value).text))"
            }
            return facts.isEmpty ? event.name : "\(event.name): \(facts.joined(separator: ", "))"
        }
    }
}
