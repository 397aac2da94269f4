internal import JSON
public import LanguageModels

/// One piece of work as it is recorded: the only form that spans have between the code that does the work and the
/// tables of a workspace.
///
/// Writers fill attributes, under OpenTelemetry's names where it has one, and `TraceStore.record` stores them. OTLP
/// carries the same value between programs. An attribute that no reader knows is kept and comes back unchanged.
/// ```swift
/// var span = SpanRecord(trace: trace, span: id, name: "plan", start: begin, end: end, status: .ok)
/// span.add("gen_ai.operation.name", "plan")
/// try store.record([[span]], origin: .agent)
/// ```
public struct SpanRecord: Hashable, Sendable {
    /// Outcome of the work.
    public enum Status: Hashable, Sendable {
        /// Not recorded.
        case unset
        /// Success.
        case ok
        /// The work failed, with the message.
        case error(String)

        /// Creates an error with a message, or success without one.
        public init(error: String?) { self = error.map { .error($0) } ?? .ok }
    }

    /// The value of an attribute.
    public indirect enum Value: Hashable, Sendable {
        /// Text.
        case text(String)
        /// 64-bit integer.
        case integer(Int64)
        /// Floating-point number.
        case number(Double)
        /// Boolean.
        case flag(Bool)
        /// Values in order.
        case list([Value])
        /// Named values in order.
        case object([Attribute])
        /// No value.
        case null
    }

    /// A named value.
    public struct Attribute: Hashable, Sendable {
        /// Name, such as `gen_ai.request.model`.
        public var name: String
        /// Value.
        public var value: Value

        /// Creates an attribute.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// Something that happened while the work was going on.
    public struct Event: Hashable, Sendable {
        public var name: String
        /// Nanoseconds since 1970.
        public var time: Int64
        public var attributes: [Attribute]

        public init(_ name: String, time: Int64, attributes: [Attribute] = []) {
            self.name = name
            self.time = time
            self.attributes = attributes
        }
    }

    /// 16 bytes as hexadecimal digits; spans of one run share it.
    public var trace: String
    /// 8 bytes as hexadecimal digits, unique within the trace.
    public var span: String
    /// Span that this one is part of; `nil` for a root.
    public var parent: String?
    public var name: String
    /// Nanoseconds since 1970.
    public var start: Int64
    /// Nanoseconds since 1970; `nil` while the work is going on.
    public var end: Int64?
    public var status: Status
    /// Attributes in the order in which they were added.
    public var attributes: [Attribute]
    public var events: [Event]

    public init(
        trace: String, span: String, parent: String? = nil, name: String, start: Int64, end: Int64?,
        status: Status = .unset, attributes: [Attribute] = [], events: [Event] = []
    ) {
        self.trace = trace
        self.span = span
        self.parent = parent
        self.name = name
        self.start = start
        self.end = end
        self.status = status
        self.attributes = attributes
        self.events = events
    }

    /// Kind of work, according to the attributes; `.other` if they name no known kind.
    public var kind: SpanKind {
        var known = OTLPAttributes()
        known.read(attributes)
        return SpanKind(known)
    }

    /// Value of the first attribute with a name.
    public subscript(name: String) -> Value? { attributes.first { $0.name == name }?.value }
}

// MARK: - Adding attributes; `nil` adds nothing

extension SpanRecord {
    public mutating func add(_ name: String, _ value: Value?) {
        if let value { attributes.append(Attribute(name, value)) }
    }

    /// Adds a text, unless it is `nil`.
    public mutating func add(_ name: String, _ text: String?) { add(name, text.map { .text($0) }) }

    /// Adds an integer, unless it is `nil`.
    public mutating func add(_ name: String, _ integer: Int?) { add(name, integer.map { .integer(Int64($0)) }) }

    /// Adds a number, unless it is `nil`.
    public mutating func add(_ name: String, _ number: Double?) { add(name, number.map { .number($0) }) }

    /// Adds a list of texts unless it is empty.
    public mutating func add(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { add(name, .list(texts.map { .text($0) })) }
    }

    /// Adds a document of a search in OpenInference's form.
    ///
    /// - Parameter list: Name of the list: `retrieval.documents`, `reranker.input_documents`, or
    ///   `reranker.output_documents`.
    package mutating func addDocument(
        _ index: Int, under list: String, id: String, score: Double?, text: String?, source: String
    ) {
        let place = "\(list).\(index).document"
        add("\(place).id", id)
        add("\(place).score", score)
        add("\(place).content", text)
        var metadata = JSONWriter()
        metadata.object { $0.member("source", source) }
        add("\(place).metadata", metadata.text)
    }
}
