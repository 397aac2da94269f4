/// What a model is asked.
public struct ModelRequest: Hashable, Sendable {
    /// What it reads.
    public enum Input: Hashable, Sendable {
        /// A conversation, with the tools that it may call.
        case messages([Message], tools: [ToolDefinition])
        /// A text that it goes on with.
        case text(String)
        /// Tokens that it goes on with: only a model in this process takes them.
        case tokens([Int])
    }

    public var input: Input
    public var sampling: Sampling
    /// How many alternatives of every token are wanted; a provider gives as many as it can, or none.
    public var alternatives: Int
    /// How many of the last of `.tokens` are an answer that is gone on with: penalties count them as such.
    public var answeredTokens: Int
    /// Values for variables of the chat template, such as `enable_thinking`, as JSON text.
    public var templateVariables: [String: String]

    public init(
        _ input: Input, sampling: Sampling = Sampling(), alternatives: Int = 0, answeredTokens: Int = 0,
        templateVariables: [String: String] = [:]
    ) {
        self.input = input
        self.sampling = sampling
        self.alternatives = alternatives
        self.answeredTokens = answeredTokens
        self.templateVariables = templateVariables
    }
}
