internal import JSON
internal import LanguageModels

/// Makes the whole record of a sample.
struct InspectSample {
    let node: JSONNode
    let messages: InspectMessages
    let head: InspectHead

    init(_ node: JSONNode, head: InspectHead) {
        self.node = node
        self.head = head
        messages = InspectMessages(node)
    }

    func record(_ rows: InspectRows, index: Int) -> EvalSampleRecord {
        let row = rows.row(node, index: index) { messages.resolve($0) }
        let spans = InspectSpans(self)
        let steps = spans.steps
        return EvalSampleRecord(
            row: row, messages: conversation, input: question,
            answer: InspectRows.completion(node["output"]).map { messages.resolve($0) },
            targets: (node["target"]?.texts ?? []).map { messages.resolve($0) },
            choices: (node["choices"]?.texts ?? []).map { messages.resolve($0) }, scores: scores,
            metadata: metadata, steps: steps,
            failingStep: row.failingStep(among: steps),
            trace: spans.isEmpty ? nil : spans.trace)
    }

    /// The sample's conversation; of old logs without one what was asked.
    var conversation: [Message] {
        let told = messages.messages(node["messages"])
        if !told.isEmpty { return told }
        if node["input"]?.kind == .array { return messages.messages(node["input"]) }
        return [Message(.user, [.text(question)])]
    }

    var question: String { messages.resolve(InspectRows.input(node["input"])) }

    private var scores: [EvalScore] {
        var list: [EvalScore] = []
        InspectValue.forEach(node["scores"]) { name, value, score in
            let number = InspectValue.number(value)
            list.append(
                EvalScore(
                    name, value: number, label: value.string, answer: messages.text(score["answer"]),
                    explanation: messages.text(score["explanation"]),
                    problem: number == nil ? score["reason"]?.text ?? "no numeric value" : nil,
                    confidence: score["metadata"]?["confidence"]?.double))
        }
        return list
    }

    /// Metadata, store and whatever stopped the sample, as one object.
    private var metadata: String? {
        var json = JSONWriter()
        var count = 0
        json.object { json in
            for name in ["metadata", "store", "error", "limit", "error_retries", "files", "setup", "uuid"] {
                guard let value = node.member(named: name), !value.isNull else { continue }
                if value.kind == .object || value.kind == .array, value.count == 0 { continue }
                json.member(name) { json in
                    if let text = value.string { json.string(messages.resolve(text)) } else { json.copy(value) }
                }
                count += 1
            }
        }
        return count > 0 ? json.text : nil
    }
}
