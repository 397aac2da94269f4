public import JSON
public import LanguageModels

/// Reads one format. An importer knows neither the workspace nor a screen: it turns records into an assembly of
/// traces, and later, for one record, into texts.
///
/// A new format is one file with one such type, and one line in `TraceFormats.all`.
///
/// One importer reads the files that belong together one after the other, the main one first, into one assembly.
public protocol TraceImporter: SendableMetatype {
    /// The word that commands and lists use: `claude-code`.
    static var format: String { get }

    /// Whether a file is of this format, by the first bytes of its content (up to 64 KiB, perhaps cut).
    static func recognizes(_ head: UnsafeBufferPointer<UInt8>) -> Bool

    /// Files that belong to the same traces as this one (the sessions of sub-agents), to be read in the same step.
    static func companions(of path: String) -> [String]

    init()

    /// Reads every record of a source into the assembly. Bad records are reported to the source, which counts them.
    mutating func read(_ source: inout TraceSource, into assembly: inout TraceAssembly) throws(ImportError)

    /// The texts of one message: the `index`-th of a record, as `MessageEntry.index` counts them.
    static func message(_ index: Int, of record: JSONNode) -> Message?

    /// What a span's records say beyond the columns of `Span`, for a person to read: arguments, results, documents,
    /// parameters, in a pleasant order.
    static func details(of span: Span, records: [JSONNode]) -> SpanDetails

    /// Returns the documents that a search or reranker recorded; `nil` if the format records none.
    static func retrieval(of span: Span, records: [JSONNode]) -> RecordedRetrieval?

    /// One line that says what an event was.
    static func sentence(of event: TraceEvent, record: JSONNode) -> String

    /// Returns the number of messages in a trace by the format's own count; a message may be stored in several pieces.
    static func messageCount(of trace: Trace) -> Int
}

extension TraceImporter {
    public static func companions(of path: String) -> [String] { [] }

    public static func messageCount(of trace: Trace) -> Int { trace.messages.count }

    public static func retrieval(of span: Span, records: [JSONNode]) -> RecordedRetrieval? { nil }
}

/// The texts of a span.
public struct SpanDetails: Hashable, Sendable {
    /// What went in: a tool's arguments or a query, as JSON or plain text.
    public var input: String?
    /// What came out: a tool's result, retrieved documents.
    public var output: String?
    /// Everything else worth reading: finish reason, temperature, working directory.
    public var attributes: [Attribute]

    public init(input: String? = nil, output: String? = nil, attributes: [Attribute] = []) {
        self.input = input
        self.output = output
        self.attributes = attributes
    }

    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
