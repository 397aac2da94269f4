public import JSON
internal import LanguageModels

extension EvalRow: JSONRepresentable {
    /// The short form of a sample; scores that are not there are null.
    public func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("index", index)
        json.member("id", id)
        json.member("epoch", epoch)
        json.member("outcome", outcome.rawValue)
        json.member("values", scores.map { $0.isFinite ? $0 : nil })
        json.member("cluster", ifPresent: cluster)
        json.member("slices", slices)
        json.member("problem", ifPresent: problem)
        json.member("seconds", ifPresent: seconds)
        json.member("tokens", ifPresent: tokens)
        json.member("cost", ifPresent: cost)
        json.member("cached", ifPresent: wasCached ? true : nil)
        json.member("input", input)
        json.member("answer", answer)
        json.member("target", target)
    }
}

extension EvalSampleRecord: JSONRepresentable {
    /// All of a sample; `input` and `answer` are whole here.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("index", row.index)
            json.member("id", row.id)
            json.member("epoch", row.epoch)
            json.member("outcome", row.outcome.rawValue)
            json.member("input", input)
            json.member("answer", ifPresent: answer)
            json.member("targets", targets)
            json.member("choices", choices)
            json.member("scores", scores)
            json.member("problem", ifPresent: row.problem)
            json.member("seconds", ifPresent: row.seconds)
            json.member("tokens", ifPresent: row.tokens)
            json.member("cost", ifPresent: row.cost)
            json.member("cached", ifPresent: row.wasCached ? true : nil)
            json.objects("messages", of: messages) { message, json in
                json.member("role", message.role.name)
                json.member("text", message.shownText)
            }
            json.member("steps", steps)
            json.member("failing_step", ifPresent: failingStep)
            json.member("trace", ifPresent: trace)
            json.member("stderr", ifPresent: standardError)
            if let metadata, let value = try? JSONValue(json: metadata) { json.member("metadata", value) }
        }
    }
}

extension EvalScore: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("value", value.flatMap { $0.isFinite ? $0 : nil })
            $0.member("label", ifPresent: label)
            $0.member("answer", ifPresent: answer)
            $0.member("explanation", ifPresent: explanation)
            $0.member("problem", ifPresent: problem)
            $0.member("confidence", ifPresent: confidence)
        }
    }
}

extension EvalStep: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind.name)
            $0.member("name", name)
            $0.member("seconds", ifPresent: seconds)
            $0.member("problem", ifPresent: problem)
        }
    }
}

extension Message {
    /// Its parts as one text: what a tool was asked and said in brackets.
    fileprivate var shownText: String {
        parts.map { part in
            switch part {
            case .text(let text), .reasoning(let text): text
            case .toolCall(let call): "[\(call.name) \(call.arguments)]"
            case .toolResult(let result): result.content
            case .attachment(let attachment): "[\(attachment.mediaType)]"
            case .other(let type, _): "[\(type)]"
            }
        }.joined()
    }
}
