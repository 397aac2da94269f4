/// One call of a model, as a span of a trace keeps it.
public struct ModelCall: Sendable {
    public var provider: String
    public var request: ModelRequest
    /// Nanoseconds since 1970.
    public var start: Int64
    public var end: Int64
    /// What came back, or why nothing did.
    public var outcome: Result<ModelResponse, LanguageModelError>
    /// The model's name as it was asked for.
    public var model: String
    /// What opens the model again, where that is known: a path, or what a command line takes.
    public var specification: String?
    /// The tokens that the model read, where it told them.
    public var prompt: [PromptToken]
    /// The answer step by step, where whoever made the call kept it; empty otherwise.
    public var answered: [TokenStep]

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

/// Where calls are reported to: `Traces` keeps them, tests collect them.
public protocol SpanSink: Sendable {
    /// Called once a call is over, on the thread that made it.
    func record(_ call: ModelCall)
}
