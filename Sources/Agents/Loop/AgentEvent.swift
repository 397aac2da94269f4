public import LanguageModels

/// What happens in a run, told while it happens.
public enum AgentEvent: Hashable, Sendable {
    /// The model is asked for the turn with this number, from 1.
    case stepBegan(Int)
    /// A piece of the model's turn.
    case token(TokenStep)
    case reasoning(String)
    case thought(String)
    case action(ToolCall)
    /// Words and numbers of the action or answer just reported that the model never read.
    case invented([String])
    /// The text of a turn that is neither an action nor an answer.
    case malformed(String)
    /// The result of an action, or what was wrong with a turn.
    case observation(AgentObservation)
    case answer(String)
    case ended(AgentOutcome)
}

/// An observation, sent to the model after a turn.
public struct AgentObservation: Hashable, Sendable {
    public var text: String
    public var isError: Bool

    public init(text: String, isError: Bool) {
        self.text = text
        self.isError = isError
    }
}

/// One turn of the model and what followed.
public struct AgentStep: Hashable, Sendable {
    /// From 1.
    public var number: Int
    public var thought: String?
    /// Calls of the step; more than one is possible with the model's native tool calls.
    public var calls: [ToolCall]
    /// One for every call, in their order; one for a turn that could not be read; none for the answer.
    public var observations: [AgentObservation]
    /// Words and numbers of the calls or the answer that are neither in the question, nor in a document that the model
    /// was given, nor in an observation.
    public var invented: [String] = []
    /// The text of a turn that is neither an action nor an answer; `nil` for other turns.
    public var malformed: String?

    public init(
        number: Int, thought: String? = nil, calls: [ToolCall] = [], observations: [AgentObservation] = []
    ) {
        self.number = number
        self.thought = thought
        self.calls = calls
        self.observations = observations
    }
}

/// A whole run.
public struct AgentRun: Hashable, Sendable {
    public var question: String
    public var outcome: AgentOutcome
    public var steps: [AgentStep]
    /// Usage of all model calls; output tokens are counted here if the provider does not report them.
    public var usage: Usage
    public var seconds: Double
    /// Why the answer should not be relied on, as a sentence; `nil` for a grounded answer and for a run without one.
    public var doubt: String?

    public var toolCalls: Int { steps.reduce(0) { $0 + $1.calls.count } }
}
