public import LanguageModels

/// A trace as a list shows it.
public struct TraceSummary: Hashable, Sendable, Identifiable {
    /// The row in the workspace; 0 before it is stored.
    public var id: Int64
    /// The format's own identifier: a session id, or a trace id in lower-case hex.
    public var externalID: String
    /// The importer's name: `claude-code`, `otlp`.
    public var format: String
    /// A title that the format records, the first thing a person asked, or the root span's name.
    public var name: String
    public var start: Int64
    public var end: Int64
    public var spans: Int
    public var modelCalls: Int
    public var toolCalls: Int
    public var messages: Int
    public var events: Int
    /// Failed spans.
    public var errors: Int
    public var usage: Usage
    /// US dollars of spans with a known price; `nil` if there are none.
    public var cost: Double?
    /// Model calls whose price is not known: with any, `cost` is a lower bound.
    public var unpriced: Int
    /// The model that most calls went to.
    public var model: String?
    /// Origin of the run.
    public var origin: TraceOrigin
    /// Project of the run: the folder or service that recorded it, or the name given at import.
    public var project: String?
    /// Note about the run.
    public var note: String?

    public init(id: Int64 = 0, externalID: String, format: String) {
        self.id = id
        self.externalID = externalID
        self.format = format
        name = ""
        start = 0
        end = 0
        spans = 0
        modelCalls = 0
        toolCalls = 0
        messages = 0
        events = 0
        errors = 0
        usage = Usage()
        cost = nil
        unpriced = 0
        model = nil
        origin = .agent
        project = nil
        note = nil
    }

    /// Nanoseconds from the first start to the last end.
    public var duration: Int64 { max(0, end - start) }

    /// Number of model and tool calls, the steps of a replay.
    public var steps: Int { modelCalls + toolCalls }

    /// Short name of the project: the last path component of a folder, `tidebook` for `/home/mara/tidebook`.
    public var projectName: String? { project.map(Self.projectName) }

    /// Returns the short name of a project: the last path component of a folder.
    public static func projectName(_ project: String) -> String {
        guard project.hasPrefix("/") else { return project }
        return project.split(separator: "/").last.map(String.init) ?? project
    }
}
