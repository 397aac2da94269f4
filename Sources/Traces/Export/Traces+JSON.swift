public import JSON
internal import LanguageModels

// The stable keys of `--json` and of exports.

extension Span: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("ordinal", ordinal)
            $0.member("parent", ifPresent: parent)
            $0.member("id", externalID)
            $0.member("kind", kind.name)
            $0.member("name", name)
            $0.member("caption", ifPresent: caption)
            $0.member("status", status.name)
            $0.member("start_ns", start)
            $0.member("end_ns", ifPresent: end)
            $0.member("model", ifPresent: model)
            $0.member("usage", ifPresent: usage)
            $0.member("cost_usd", ifPresent: cost)
            $0.member("error", ifPresent: error)
        }
    }
}

extension TraceSummary: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("row", id)
            $0.member("id", externalID)
            $0.member("format", format)
            $0.member("name", name)
            $0.member("origin", origin.name)
            $0.member("project", ifPresent: project)
            $0.member("note", ifPresent: note)
            $0.member("model", ifPresent: model)
            $0.member("start_ns", start)
            $0.member("end_ns", end)
            $0.member("spans", spans)
            $0.member("model_calls", modelCalls)
            $0.member("tool_calls", toolCalls)
            $0.member("messages", messages)
            $0.member("events", events)
            $0.member("errors", errors)
            $0.member("usage", usage)
            $0.member("cost_usd", ifPresent: cost)
            $0.member("unpriced_calls", unpriced)
        }
    }
}

extension TraceCensus: JSONRepresentable {
    /// Numbers of runs by origin, including origins without a run.
    public func write(to json: inout JSONWriter) {
        json.object { for origin in TraceOrigin.allCases { $0.member(origin.name, counts[origin] ?? 0) } }
    }
}
