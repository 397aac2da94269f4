import Retrieval
import TestFixtures
import Traces
import Workspace

/// A workspace with a trace that another system recorded, as OTLP/JSON with what a test is about and no more.
struct RecordedSpans {
    let folder = TemporaryFolder()
    let workspace: Workspace
    static let id = "0af7651916cd43dd8448eb211c80319c"

    init(_ spans: String...) throws {
        workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: TraceStore.migrations + Retrieval.migrations, create: true)
        let text = #"{"resourceSpans":[{"scopeSpans":[{"spans":[\#(spans.joined(separator: ","))]}]}]}"#
        SpanKeeper(workspace, origin: .agent).keep(SpanRecord.spans(otlp: Array(text.utf8)))
    }

    func record(span: Int? = nil, matching matcher: (any PassageMatching)? = nil) throws -> RetrievalRecord? {
        let store = TraceStore(workspace)
        return try ForeignRetrieval(store).record(ofTrace: store.find(Self.id).id, span: span, matching: matcher)
    }

    /// Returns a span; the root where no parent is named. Every span takes from `time` to `time + 1`.
    static func span(
        _ id: Int, in parent: Int? = 1, _ kind: String, _ name: String, at time: Int, _ attributes: String...
    )
        -> String
    {
        let under = parent.map { #""parentSpanId":"\#(digits($0))","# } ?? ""
        let all = [text("openinference.span.kind", kind)] + attributes
        return #"{"traceId":"\#(Self.id)","spanId":"\#(digits(id))",\#(under)"name":"\#(name)","kind":1,"#
            + #""startTimeUnixNano":"\#(time)","endTimeUnixNano":"\#(time + 1)","attributes":[\#(all.joined(separator: ","))]}"#
    }

    /// Returns a document of a list, by its place.
    static func document(
        _ list: String, _ place: Int, id: String? = nil, text content: String? = nil, source: String? = nil
    )
        -> String
    {
        let start = "\(list).\(place).document"
        var all: [String] = []
        if let id { all.append(text("\(start).id", id)) }
        if let content { all.append(text("\(start).content", content)) }
        if let source { all.append(text("\(start).metadata", #"{\"source\": \"\#(source)\"}"#)) }
        return all.joined(separator: ",")
    }

    /// Returns the attributes of a model call: prompt and reply.
    static func exchange(_ prompt: String, _ answer: String) -> String {
        [
            text("llm.model_name", "reader"), text("llm.input_messages.0.message.role", "user"),
            text("llm.input_messages.0.message.content", prompt),
            text("llm.output_messages.0.message.role", "assistant"),
            text("llm.output_messages.0.message.content", answer),
        ].joined(separator: ",")
    }

    static func text(_ key: String, _ value: String) -> String {
        #"{"key":"\#(key)","value":{"stringValue":"\#(value)"}}"#
    }

    private static func digits(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
