public import JSON
internal import LanguageModels

extension TraceExport.Step: JSONRepresentable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("step", ifPresent: number)
            $0.member("span", span)
            if span.kind == .model {
                $0.member("earlier_messages", earlier)
                $0.member("new_messages", isNew)
                $0.member("answers", answers)
                $0.member("context", ifPresent: breakdown)
            }
            $0.member("input", ifPresent: details.input)
            $0.member("output", ifPresent: details.output)
            $0.member("attributes", details.attributes)
        }
    }
}

extension SpanDetails.Attribute: JSONRepresentable {
    /// An object of its own: names may repeat.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("value", value)
        }
    }
}

extension ContextBreakdown: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("tokens", total)
            $0.member("is_billed", billed != nil)
            $0.member("parts") { json in
                json.object { for part in Part.allCases { $0.member(part.key, self[part]) } }
            }
            $0.member("bytes_per_token", density.bytesPerToken)
            $0.member("measured_calls", density.samples)
            $0.member("spread", density.spread)
            $0.member("note", note)
        }
    }
}

extension ContextBreakdown.Part {
    /// The stable key of exports.
    package var key: String {
        switch self {
        case .system: "system"
        case .tools: "tools"
        case .user: "user"
        case .model: "model"
        case .reasoning: "reasoning"
        case .results: "results"
        case .notInLog: "not_in_log"
        }
    }
}
