/// Events of a generation, in order of arrival.
public enum ModelEvent: Hashable, Sendable {
    /// Tokens of the prompt; only models in this process report them.
    case prompt([PromptToken])
    /// The next part of the generation: a token, or any piece of text if the provider does not report tokens.
    case token(TokenStep)
    /// The next part of the model's reasoning.
    case reasoning(String)
    /// A complete tool call.
    case toolCall(ToolCall)
}

/// Origins of a token's text.
public enum TokenOrigin: UInt8, CaseIterable, Sendable {
    /// The chat template.
    case template = 0
    /// A system message.
    case system = 1
    /// A user message.
    case user = 2
    /// A message from the model.
    case assistant = 3
    /// A tool result.
    case tool = 4

    /// Name in JSON and on screens.
    public var name: String {
        switch self {
        case .template: "template"
        case .system: "system"
        case .user: "user"
        case .assistant: "assistant"
        case .tool: "tool"
        }
    }
}

/// A token of the prompt.
public struct PromptToken: Hashable, Sendable {
    /// Token ID.
    public var id: Int
    /// Text of the token.
    public var text: String
    /// Origin of the text.
    public var origin: TokenOrigin

    /// Creates a token of the prompt.
    public init(id: Int, text: String, origin: TokenOrigin) {
        self.id = id
        self.text = text
        self.origin = origin
    }
}

/// A token of a generation; values that the provider does not report are `nil`, never 0.
public struct TokenStep: Hashable, Sendable {
    /// Text added to the generation; empty if the bytes of a character are not complete yet.
    public var text: String
    /// Token ID.
    public var id: Int?
    /// Natural logarithm of the token's probability, before any logit processor.
    public var logProbability: Double?
    /// Entropy of the model's distribution in nats, before any logit processor.
    public var entropy: Double?
    /// Seconds since the previous token, or since the request for the first token.
    public var seconds: Double?
    /// Alternatives, most probable first.
    public var alternatives: [Alternative]?
    /// Effects of the logit processors in this process, in order.
    public var stages: [ProcessorStage]?

    /// Creates a token of a generation.
    public init(
        text: String, id: Int? = nil, logProbability: Double? = nil, entropy: Double? = nil, seconds: Double? = nil,
        alternatives: [Alternative]? = nil, stages: [ProcessorStage]? = nil
    ) {
        self.text = text
        self.id = id
        self.logProbability = logProbability
        self.entropy = entropy
        self.seconds = seconds
        self.alternatives = alternatives
        self.stages = stages
    }
}

/// A candidate for the next token.
public struct Alternative: Hashable, Sendable {
    /// Token ID; `nil` if not reported.
    public var id: Int?
    /// Text of the token.
    public var text: String
    /// Natural logarithm of the probability, before any logit processor.
    public var logProbability: Double
    /// Probability after each of the step's `stages`, or 0 if a stage removed the token; empty if not reported.
    public var afterStages: [Double]

    /// Creates an alternative.
    public init(id: Int?, text: String, logProbability: Double, afterStages: [Double] = []) {
        self.id = id
        self.text = text
        self.logProbability = logProbability
        self.afterStages = afterStages
    }

    /// Returns whether this alternative is the generated token.
    public func isSame(as step: TokenStep) -> Bool {
        if let id, let other = step.id { return id == other }
        return text == step.text
    }
}

/// The effect of a logit processor.
public struct ProcessorStage: Hashable, Sendable {
    /// Processor with its setting, such as `temperature 0.8` or `top-k 40`.
    public var name: String
    /// Number of tokens that are still possible.
    public var remaining: Int
    /// Entropy of the distribution after the processor, in nats.
    public var entropy: Double

    /// Creates the effect of a processor.
    public init(name: String, remaining: Int, entropy: Double) {
        self.name = name
        self.remaining = remaining
        self.entropy = entropy
    }
}
