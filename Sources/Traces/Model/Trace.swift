/// A whole trace in memory: everything but the texts.
public struct Trace: Sendable {
    public var summary: TraceSummary
    /// By ordinal: `spans[k].ordinal == k`.
    public var spans: [Span]
    /// By ordinal.
    public var messages: [MessageEntry]
    /// By ordinal.
    public var events: [TraceEvent]

    public init(
        summary: TraceSummary, spans: [Span] = [], messages: [MessageEntry] = [], events: [TraceEvent] = []
    ) {
        self.summary = summary
        self.spans = spans
        self.messages = messages
        self.events = events
    }
}
