/// A finished model call, which becomes a span of a trace.
public struct ModelCall: Sendable {
    /// Provider of the model.
    public var provider: String
    /// Request to the model.
    public var request: ModelRequest
    /// Start time in nanoseconds since 1970.
    public var start: Int64
    /// End time in nanoseconds since 1970.
    public var end: Int64
    /// Response or error.
    public var outcome: Result<ModelResponse, LanguageModelError>
    /// Model name in the request.
    public var model: String
    /// Path or command-line value that reopens the model; `nil` if unknown.
    public var specification: String?
    /// Tokens of the prompt; empty if not reported.
    public var prompt: [PromptToken]
    /// Tokens of the generation; empty if not recorded.
    public var answered: [TokenStep]

    /// Creates a finished model call.
    public init(
        provider: String, model: String, request: ModelRequest, start: Int64, end: Int64,
        outcome: Result<ModelResponse, LanguageModelError>, specification: String? = nil,
        prompt: [PromptToken] = [], answered: [TokenStep] = []
    ) {
        self.provider = provider
        self.model = model
        self.request = request
        self.start = start
        self.end = end
        self.outcome = outcome
        self.specification = specification
        self.prompt = prompt
        self.answered = answered
    }
}

/// A receiver of model calls: `Traces` stores them, and tests collect them.
public protocol SpanSink: Sendable {
    /// Receives a finished call, on the thread that made the call.
    func record(_ call: ModelCall)
}
