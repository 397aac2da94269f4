public import JSON

/// How traces are imported.
public struct ImportOptions: Sendable {
    /// Whether a bad record refuses its file instead of being skipped and counted.
    public var isStrict: Bool
    /// The format of files that are named directly; `nil` recognizes each by its content. In folders, files of other
    /// formats are passed over.
    public var format: String?
    /// Whether the files of sub-agents come with the session that started them.
    public var followsCompanions: Bool
    /// What calls are priced by.
    public var prices: PriceTable
    /// Origin of new runs; runs already in the workspace keep theirs.
    public var origin: TraceOrigin
    /// Project of every imported run, overriding the files; `nil` takes the recorded service or folder.
    public var project: String?

    public init(
        isStrict: Bool = false, format: String? = nil, followsCompanions: Bool = true, prices: PriceTable = .builtIn,
        origin: TraceOrigin = .agent, project: String? = nil
    ) {
        self.isStrict = isStrict
        self.format = format
        self.followsCompanions = followsCompanions
        self.prices = prices
        self.origin = origin
        self.project = project
    }
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    public var bytesDone: Int
    public var bytesTotal: Int
    /// Bytes a second since the start.
    public var rate: Double
    /// `nil` until there is a rate to tell by.
    public var secondsLeft: Double?
    /// The file that is being read.
    public var path: String
    public var filesDone: Int
    public var filesTotal: Int
}

/// What an import did.
public struct ImportReport: Hashable, Sendable {
    /// Files that were read, those that had not changed included.
    public var files = 0
    /// Files of which the workspace had every byte.
    public var unchangedFiles = 0
    /// Number of files in folders that are not traces.
    public var otherFiles = 0
    /// The first hundred of them in a format that Orrery recognizes and cannot import, each with the format.
    public var foreignFiles: [String] = []
    /// Traces that are new or have changed; the following numbers are theirs, all spans included.
    public var traces = 0
    public var spans = 0
    public var messages = 0
    public var toolCalls = 0
    public var inputTokens = 0
    public var outputTokens = 0
    /// Failed spans.
    public var errors = 0
    /// Traces and spans that the workspace did not have.
    public var newTraces = 0
    public var newSpans = 0
    /// Records that could not be read.
    public var skipped = 0
    /// The first hundred of them.
    public var skippedRecords: [Skipped] = []
    /// Files in folders that could not be read, a sentence each.
    public var problems: [String] = []
    public var bytes = 0
    public var seconds = 0.0
    /// Whether it was ended early; every file that is counted here is kept whole.
    public var isCancelled = false

    public init() {}

    /// Maximum number of files named in a report.
    static let mostNamed = 100

    /// A record that could not be read, and where.
    public struct Skipped: Hashable, Sendable {
        public var path: String
        public var line: Int
        public var offset: Int
        public var reason: String
    }
}

extension ImportReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }

    /// The members alone, for objects that say more.
    public func writeMembers(to json: inout JSONWriter) {
        json.member("files", files)
        json.member("traces", traces)
        json.member("spans", spans)
        json.member("messages", messages)
        json.member("tool_calls", toolCalls)
        json.member("input_tokens", inputTokens)
        json.member("output_tokens", outputTokens)
        json.member("errors", errors)
        json.member("skipped", skipped)
        json.member("unchanged_files", unchangedFiles)
        json.member("other_files", otherFiles)
        json.member("foreign_files", foreignFiles)
        json.member("new_traces", newTraces)
        json.member("new_spans", newSpans)
        json.member("bytes", bytes)
        json.member("seconds", seconds)
        json.member("cancelled", isCancelled)
        json.member("skipped_records", skippedRecords)
        json.member("problems", problems)
    }
}

extension ImportReport.Skipped: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("line", line)
            json.member("offset", offset)
            json.member("reason", reason)
        }
    }
}
