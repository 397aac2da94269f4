/// Anything that answers: a model in this process, an endpoint, a program, a script.
///
/// ```swift
/// let answer = try model.respond(to: ModelRequest(.text("An orrery turns"))) { event in
///     if case .token(let step) = event { print(step.text, terminator: "") }
/// }
/// ```
public protocol LanguageModel: Sendable {
    /// `stories260K`, `gpt-4o-mini`.
    var name: String { get }
    /// Who answers: `in-process`, `openai`, `anthropic`, `exec`, `scripted`.
    var provider: String { get }
    var abilities: ModelAbilities { get }

    /// Answers one request on the calling thread, which it holds until the answer is whole.
    ///
    /// - Parameters:
    ///   - isCancelled: asked at least every 50 ms; true ends the answer, which is then returned as far as it came,
    ///     with `finish` `.cancelled`.
    ///   - receive: gets what comes while it comes, on the calling thread.
    /// - Throws: `LanguageModelError`.
    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse
}

extension LanguageModel {
    /// Answers without being watched.
    public func respond(to request: ModelRequest) throws(LanguageModelError) -> ModelResponse {
        try respond(to: request, isCancelled: { false }, receive: { _ in })
    }
}

/// What a provider can do and tell; a screen shows the rest as "not reported".
public struct ModelAbilities: Hashable, Sendable {
    public var takesMessages: Bool
    public var takesText: Bool
    /// It takes token ids and tells those of its answer: branches begin at any token.
    public var takesTokens: Bool
    public var takesTools: Bool
    /// The most alternatives that it tells for a token.
    public var alternatives: Int
    /// Every logit processor is shown at work.
    public var showsProcessors: Bool
    /// Tokens that its context holds; nil where it is not told.
    public var contextLength: Int?

    public init(
        takesMessages: Bool = true, takesText: Bool = false, takesTokens: Bool = false, takesTools: Bool = false,
        alternatives: Int = 0, showsProcessors: Bool = false, contextLength: Int? = nil
    ) {
        self.takesMessages = takesMessages
        self.takesText = takesText
        self.takesTokens = takesTokens
        self.takesTools = takesTools
        self.alternatives = alternatives
        self.showsProcessors = showsProcessors
        self.contextLength = contextLength
    }
}
