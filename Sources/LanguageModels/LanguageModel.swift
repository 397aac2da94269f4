/// A source of generations: a model in this process, an endpoint, a program, or a script.
///
/// ```swift
/// let answer = try model.respond(to: ModelRequest(.text("An orrery turns"))) { event in
///     if case .token(let step) = event { print(step.text, terminator: "") }
/// }
/// ```
public protocol LanguageModel: Sendable {
    /// Name of the model, such as `stories260K` or `gpt-4o-mini`.
    var name: String { get }
    /// Provider of the model: `in-process`, `openai`, `anthropic`, `exec`, or `scripted`.
    var provider: String { get }
    /// Capabilities of the provider.
    var capabilities: ModelCapabilities { get }

    /// Responds to a request, and blocks the calling thread until the response is complete.
    ///
    /// - Parameters:
    ///   - request: Request to the model.
    ///   - isCancelled: Called at least every 50 ms. If it returns `true`, the generation stops, and the partial
    ///     response is returned with the `finish` reason `.cancelled`.
    ///   - receive: Called with each event on the calling thread, as soon as it arrives.
    /// - Returns: The complete response.
    /// - Throws: `LanguageModelError` if there is no response.
    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse
}

extension LanguageModel {
    /// Responds to a request without reporting events or checking for cancellation.
    public func respond(to request: ModelRequest) throws(LanguageModelError) -> ModelResponse {
        try respond(to: request, isCancelled: { false }, receive: { _ in })
    }
}

/// The capabilities of a provider; screens show values that the provider does not return as "not reported".
public struct ModelCapabilities: Hashable, Sendable {
    /// Whether requests can be conversations.
    public var acceptsMessages: Bool
    /// Whether requests can be plain text to continue.
    public var acceptsText: Bool
    /// Whether requests and generations can use token IDs, which lets branches start at any token.
    public var acceptsTokens: Bool
    /// Whether the model can call tools.
    public var acceptsTools: Bool
    /// Maximum number of alternatives reported per token.
    public var alternatives: Int
    /// Whether the effect of every logit processor is reported.
    public var showsProcessors: Bool
    /// Context length in tokens; `nil` if not reported.
    public var contextLength: Int?

    /// Creates capabilities; by default, a provider supports only conversations.
    public init(
        acceptsMessages: Bool = true, acceptsText: Bool = false, acceptsTokens: Bool = false,
        acceptsTools: Bool = false,
        alternatives: Int = 0, showsProcessors: Bool = false, contextLength: Int? = nil
    ) {
        self.acceptsMessages = acceptsMessages
        self.acceptsText = acceptsText
        self.acceptsTokens = acceptsTokens
        self.acceptsTools = acceptsTools
        self.alternatives = alternatives
        self.showsProcessors = showsProcessors
        self.contextLength = contextLength
    }
}
