/// A request to a model.
public struct ModelRequest: Hashable, Sendable {
    /// Inputs of a model.
    public enum Input: Hashable, Sendable {
        /// A conversation, with the tools that the model can call.
        case messages([Message], tools: [ToolDefinition])
        /// Text to continue.
        case text(String)
        /// Tokens to continue; only models in this process accept them.
        case tokens([Int])
    }

    /// Input of the model.
    public var input: Input
    /// Sampling settings.
    public var sampling: Sampling
    /// Number of alternatives per token; providers can return fewer, or none.
    public var alternatives: Int
    /// Number of tokens at the end of `.tokens` that belong to an earlier generation, so that penalties count them.
    public var generatedTokens: Int
    /// Variables of the chat template, such as `enable_thinking`, with values as JSON text.
    public var templateVariables: [String: String]

    /// Creates a request.
    public init(
        _ input: Input, sampling: Sampling = Sampling(), alternatives: Int = 0, generatedTokens: Int = 0,
        templateVariables: [String: String] = [:]
    ) {
        self.input = input
        self.sampling = sampling
        self.alternatives = alternatives
        self.generatedTokens = generatedTokens
        self.templateVariables = templateVariables
    }
}
