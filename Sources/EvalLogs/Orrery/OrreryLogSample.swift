internal import JSON
internal import LanguageModels
internal import Traces

/// Reads one line of a log.
struct OrreryLogSample {
    private let value: JSONValue
    private let run: EvalRun
    private let index: Int

    init(_ value: JSONValue, index: Int, of run: EvalRun) {
        (self.value, self.index, self.run) = (value, index, run)
    }

    var row: EvalRow {
        let short = value["row"]
        let numbers = value["values"]?.elements ?? []
        let slices = value["slices"]?.elements ?? []
        func text(_ key: String, _ whole: String?) -> String { short?[key]?.string ?? (whole ?? "").rowText }
        var row = EvalRow(
            index: index, id: value["id"]?.text ?? "\(index)", epoch: max(1, value["epoch"]?.int ?? 1),
            outcome: value["outcome"]?.string.flatMap { EvalRow.Outcome(rawValue: $0) } ?? .unscored,
            scores: run.scores.indices.map { $0 < numbers.count ? Self.number(numbers[$0]) ?? .nan : .nan },
            input: text("input", value["input"]?.string), answer: text("answer", value["answer"]?.string),
            target: text("target", value["targets"]?.elements?.first?.string), cluster: value["cluster"]?.string,
            slices: run.slices.indices.map { $0 < slices.count ? slices[$0].string ?? "" : "" },
            problem: value["problem"]?.string, seconds: value["seconds"].flatMap { Self.number($0) },
            tokens: value["tokens"]?.int, cost: value["cost"].flatMap { Self.number($0) })
        row.wasCached = value["cached"]?.bool ?? false
        return row
    }

    var record: EvalSampleRecord {
        let steps = (value["steps"]?.elements ?? []).map { step in
            EvalStep(
                kind: step["kind"]?.string.flatMap { SpanKind(name: $0) } ?? .other,
                name: step["name"]?.string ?? "", seconds: step["seconds"].flatMap { Self.number($0) },
                problem: step["problem"]?.string)
        }
        return EvalSampleRecord(
            row: row, messages: (value["messages"]?.elements ?? []).map { Self.message($0) },
            input: value["input"]?.string ?? "", answer: value["answer"]?.string,
            targets: (value["targets"]?.elements ?? []).compactMap(\.string),
            choices: (value["choices"]?.elements ?? []).compactMap(\.string),
            scores: (value["scores"]?.elements ?? []).map { Self.score($0) },
            metadata: value["metadata_text"]?.string ?? value["metadata"].map { $0.json() }, steps: steps,
            failingStep: value["failing_step"]?.int.flatMap { steps.indices.contains($0) ? $0 : nil },
            trace: value["trace"]?.string, standardError: value["stderr"]?.string)
    }

    /// Spans of the sample's trace in the line, without what `SpanRecord` does not hold, such as attributes of a
    /// resource; `nil` if the line has none, empty if they cannot be read.
    var spans: [SpanRecord]? {
        guard let documents = value["spans"]?.elements, !documents.isEmpty else { return nil }
        return documents.flatMap { SpanRecord.spans(otlp: Array($0.json().utf8)) }
    }

    private static func number(_ value: JSONValue) -> Double? { OddNumber.read(value) ?? value.double }

    private static func score(_ value: JSONValue) -> EvalScore {
        EvalScore(
            value["name"]?.string ?? "", value: value["value"].flatMap { number($0) }, label: value["label"]?.string,
            answer: value["answer"]?.string, explanation: value["explanation"]?.string,
            problem: value["problem"]?.string, confidence: value["confidence"].flatMap { number($0) },
            parts: (value["parts"]?.elements ?? []).compactMap { number($0) })
    }

    private static func message(_ value: JSONValue) -> Message {
        let role = value["role"]?.string.flatMap { name in Role.allCases.first { $0.name == name } } ?? .user
        if let text = value["text"]?.string { return Message(role, [.text(text)]) }
        return Message(role, (value["parts"]?.elements ?? []).map { part($0) })
    }

    private static func part(_ value: JSONValue) -> Message.Part {
        func text(_ key: String) -> String { value[key]?.string ?? "" }
        switch value["type"]?.string {
        case "text": return .text(text("text"))
        case "reasoning": return .reasoning(text("text"))
        case "tool_call":
            return .toolCall(ToolCall(id: text("id"), name: text("name"), arguments: text("arguments")))
        case "tool_result":
            return .toolResult(
                ToolResult(callID: text("id"), content: text("content"), isError: value["is_error"]?.bool ?? false))
        case "attachment":
            return .attachment(
                Attachment(
                    mediaType: text("media_type"), location: value["location"]?.string,
                    byteCount: value["bytes"]?.int ?? 0))
        default: return .other(type: value["kind"]?.string ?? "other", json: value["json"]?.string ?? value.json())
        }
    }
}
