/// What comes while a model answers, in order.
public enum ModelEvent: Hashable, Sendable {
    /// What the model read, token by token: only a model in this process tells it.
    case prompt([PromptToken])
    /// A piece of the answer: a token where the provider tells tokens, any run of text where it does not.
    case token(TokenStep)
    /// A piece of the model's thinking.
    case reasoning(String)
    /// A call of a tool, once it is whole.
    case toolCall(ToolCall)
}

/// Where the text of a token came from.
public enum TokenOrigin: UInt8, CaseIterable, Sendable {
    case template = 0
    case system = 1
    case user = 2
    case assistant = 3
    case tool = 4

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

/// A token that the model read.
public struct PromptToken: Hashable, Sendable {
    public var id: Int
    public var text: String
    public var origin: TokenOrigin

    public init(id: Int, text: String, origin: TokenOrigin) {
        self.id = id
        self.text = text
        self.origin = origin
    }
}

/// One step of an answer, with what the provider tells about it; nil is "not reported", never zero.
public struct TokenStep: Hashable, Sendable {
    /// What it adds to the answer; may be empty while the bytes of a character are incomplete.
    public var text: String
    public var id: Int?
    /// Natural logarithm of the probability that the model gave, before any processor.
    public var logProbability: Double?
    /// Of the model's distribution before any processor, in nats.
    public var entropy: Double?
    /// From the step before, or from the request where it is the first.
    public var seconds: Double?
    /// Most probable first; nil where none are told.
    public var alternatives: [Alternative]?
    /// What the processors did, in their order, where they ran in this process.
    public var stages: [ProcessorStage]?

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

/// A token that might have come.
public struct Alternative: Hashable, Sendable {
    public var id: Int?
    public var text: String
    /// Natural logarithm of its probability before any processor.
    public var logProbability: Double
    /// Its probability after each of the step's `stages`, in their order; 0 where the stage removed it. Empty where
    /// processors are not told.
    public var afterStages: [Double]

    public init(id: Int?, text: String, logProbability: Double, afterStages: [Double] = []) {
        self.id = id
        self.text = text
        self.logProbability = logProbability
        self.afterStages = afterStages
    }

    /// Whether it is the token that came.
    public func isSame(as step: TokenStep) -> Bool {
        if let id, let other = step.id { return id == other }
        return text == step.text
    }
}

/// What one logit processor left.
public struct ProcessorStage: Hashable, Sendable {
    /// `temperature 0.8`, `top-k 40`.
    public var name: String
    /// Tokens that can still come.
    public var kept: Int
    /// Of the distribution after it, in nats.
    public var entropy: Double

    public init(name: String, kept: Int, entropy: Double) {
        self.name = name
        self.kept = kept
        self.entropy = entropy
    }
}
