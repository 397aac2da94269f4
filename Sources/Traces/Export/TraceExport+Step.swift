internal import JSON
internal import LanguageModels

extension TraceExport {
    /// One step with its texts.
    struct Step {
        let span: Span
        let isNew: [Message]
        let earlier: Int
        let answers: [Message]
        let details: SpanDetails

        init(_ span: Span, replay: Replay, store: TraceStore) throws {
            self.span = span
            if span.kind == .model, let step = replay.step(of: span.ordinal) {
                let context = replay.context(at: step)
                earlier = context.known
                isNew = try store.messages(Array(context.messages[context.known...])).compactMap(\.self)
                let entries = replay.messages(of: span.ordinal).filter { $0.role == .assistant }
                answers = try store.messages(entries).compactMap(\.self)
                details = SpanDetails()
            } else {
                earlier = 0
                isNew = []
                answers = []
                details = try store.details(of: span)
            }
        }
    }
}

extension TraceExport.Step {
    func markdown(level: Int) -> String {
        let marks = String(repeating: "#", count: level)
        var lines = ["\(marks) \(span.kind.name) \(span.name)\(span.status == .error ? " (failed)" : "")", ""]
        if let error = span.error { lines += ["> \(error)", ""] }
        if span.kind == .model {
            if earlier > 0 { lines += ["*\(earlier) earlier messages*", ""] }
            for message in isNew { lines += ["**\(message.role.name)**", ""] + message.parts.flatMap(Self.markdown) }
            lines += ["**answered**", ""] + answers.flatMap(\.parts).flatMap(Self.markdown)
        } else {
            if let input = details.input { lines += Self.fenced(input, "json") }
            if let output = details.output { lines += ["**returned**", ""] + Self.fenced(output, "") }
        }
        return lines.joined(separator: "\n")
    }

    private static func markdown(_ part: Message.Part) -> [String] {
        switch part {
        case .text(let text): [text, ""]
        case .reasoning(let text): text.isEmpty ? [] : text.split(separator: "\n").map { "> \($0)" } + [""]
        case .toolCall(let call): ["`\(call.name)`", ""] + fenced(call.arguments, "json")
        case .toolResult(let result): fenced(result.content, "")
        case .attachment(let file): ["*\(file.mediaType)\(file.location.map { " \($0)" } ?? "")*", ""]
        case .other(let type, let json): ["*\(type)*", ""] + fenced(json, "json")
        }
    }

    /// A fence longer than any in the text, so that nothing in it can end the block.
    private static func fenced(_ text: String, _ language: String) -> [String] {
        var run = 0
        var longest = 2
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return [fence + language, text, fence, ""]
    }
}

extension TraceExport.Step: JSONRepresentable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("span", span)
            if span.kind == .model {
                $0.member("earlier_messages", earlier)
                $0.member("new_messages", isNew)
                $0.member("answers", answers)
            }
            $0.member("input", ifPresent: details.input)
            $0.member("output", ifPresent: details.output)
            $0.member("attributes") { json in
                json.object { for attribute in details.attributes { $0.member(attribute.name, attribute.value) } }
            }
        }
    }
}
