/// OTLP/JSON with what a test is about and no more.
enum MessageText {
    /// A document with these spans.
    static func document(_ spans: String..., service: String = "svc") -> String {
        #"{"resourceSpans":[{"resource":{"attributes":[\#(attribute("service.name", service))]},"#
            + #""scopeSpans":[{"scope":{"name":"s"},"spans":[\#(spans.joined(separator: ","))]}]}]}"#
    }

    static func logs(_ records: String...) -> String {
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(records.joined(separator: ","))]}]}]}"#
    }

    static func span(
        _ id: String, parent: String? = nil, trace: String = "0af7651916cd43dd8448eb211c80319c", name: String = "work",
        start: Int = 1, end: Int = 2, _ attributes: String..., more: String = ""
    ) -> String {
        let parent = parent.map { #""parentSpanId":"\#($0)","# } ?? ""
        let more = more.isEmpty ? "" : "," + more
        return #"{"traceId":"\#(trace)","spanId":"\#(id)",\#(parent)"name":"\#(name)","kind":1,"#
            + #""startTimeUnixNano":"\#(start)","endTimeUnixNano":"\#(end)","#
            + #""attributes":[\#(attributes.joined(separator: ","))]\#(more)}"#
    }

    static func log(
        span: String, event: String, trace: String = "0af7651916cd43dd8448eb211c80319c", body: String = "",
        _ attributes: String...
    ) -> String {
        let body = body.isEmpty ? "" : #","body":\#(body)"#
        return #"{"traceId":"\#(trace)","spanId":"\#(span)","timeUnixNano":"5","eventName":"\#(event)","#
            + #""attributes":[\#(attributes.joined(separator: ","))]\#(body)}"#
    }

    static func attribute(_ key: String, _ text: String) -> String {
        #"{"key":"\#(key)","value":{"stringValue":\#(quoted(text))}}"#
    }

    static func attribute(_ key: String, _ number: Int) -> String {
        #"{"key":"\#(key)","value":{"intValue":"\#(number)"}}"#
    }

    static func attribute(_ key: String, raw value: String) -> String { #"{"key":"\#(key)","value":\#(value)}"# }

    static func quoted(_ text: String) -> String {
        let escaped = text.flatMap { character -> String in
            switch character {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(character)
            }
        }
        return "\"" + escaped + "\""
    }
}
