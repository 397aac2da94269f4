/// A prompt being worked on, and the answers that came of it.
public struct Session: Hashable, Sendable {
    public var id: Int64
    public var title: String
    /// Nanoseconds since 1970.
    public var created: Int64
    public var changed: Int64
    /// Next request, in the format of `PromptDocument`.
    public var draft: String
    /// The model call of a trace that it began with.
    public var origin: Origin?
    public var generationCount: Int

    /// A span of a trace of the workspace.
    public struct Origin: Hashable, Sendable {
        public var trace: Int64
        public var span: Int

        public init(trace: Int64, span: Int) {
            self.trace = trace
            self.span = span
        }
    }

    public init(
        id: Int64 = 0, title: String, created: Int64, changed: Int64, draft: String, origin: Origin? = nil,
        generationCount: Int = 0
    ) {
        self.id = id
        self.title = title
        self.created = created
        self.changed = changed
        self.draft = draft
        self.origin = origin
        self.generationCount = generationCount
    }
}
