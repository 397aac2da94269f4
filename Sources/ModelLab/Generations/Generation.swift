public import LanguageModels

/// One generation: its request, model, tokens, and outcome.
public struct Generation: Hashable, Sendable {
    /// Its row; 0 until it is kept.
    public var id: Int64
    public var session: Int64
    /// The answer that this one follows up to a step, where it branches.
    public var parent: Parent?
    /// The request and its model.
    public var document: PromptDocument
    /// The model's name as it told it.
    public var model: String
    /// Tokens of the prompt; empty if not reported.
    public var prompt: [PromptToken]
    /// The answer, steps that are the parent's included.
    public var steps: [TokenStep]
    public var reasoning: String
    public var toolCalls: [ToolCall]
    /// Nanoseconds since 1970.
    public var started: Int64
    public var outcome: Outcome

    /// The branching point of a generation: from `step` on, its tokens differ from its parent's.
    public struct Parent: Hashable, Sendable {
        public var generation: Int64
        public var step: Int

        public init(generation: Int64, step: Int) {
            self.generation = generation
            self.step = step
        }
    }

    /// The outcome of a generation.
    public struct Outcome: Hashable, Sendable {
        public enum State: String, Sendable {
            case running, done, failed
            /// It was read from a trace.
            case recorded
        }

        public var state: State
        /// The word for why it ended; empty while it runs.
        public var finish: String
        public var usage: Usage?
        public var seconds: Double?
        public var secondsToFirstToken: Double?
        /// Error message; `nil` if the generation did not fail.
        public var problem: String?
        /// The process that gets it, while it runs.
        public var process: Int32?

        public init(
            _ state: State, finish: String = "", usage: Usage? = nil, seconds: Double? = nil,
            secondsToFirstToken: Double? = nil, problem: String? = nil, process: Int32? = nil
        ) {
            self.state = state
            self.finish = finish
            self.usage = usage
            self.seconds = seconds
            self.secondsToFirstToken = secondsToFirstToken
            self.problem = problem
            self.process = process
        }
    }

    public init(
        id: Int64 = 0, session: Int64, parent: Parent? = nil, document: PromptDocument, model: String,
        prompt: [PromptToken] = [], steps: [TokenStep] = [], reasoning: String = "", toolCalls: [ToolCall] = [],
        started: Int64, outcome: Outcome = Outcome(.running)
    ) {
        self.id = id
        self.session = session
        self.parent = parent
        self.document = document
        self.model = model
        self.prompt = prompt
        self.steps = steps
        self.reasoning = reasoning
        self.toolCalls = toolCalls
        self.started = started
        self.outcome = outcome
    }

    /// The answer as it reads.
    public var text: String { steps.lazy.map(\.text).joined() }

    /// Tokens/s between the first and the last step with a recorded time; `nil` with fewer than two.
    public var tokensPerSecond: Double? {
        let times = steps.dropFirst(parent.map { $0.step + 1 } ?? 0).dropFirst().compactMap(\.seconds)
        let total = times.reduce(0, +)
        return times.isEmpty || total <= 0 ? nil : Double(times.count) / total
    }

    /// Sum of the log probabilities of the generated tokens; `nil` if one is not reported.
    public var logProbability: Double? {
        steps.isEmpty ? nil : steps.reduce(0) { sum, step in sum.flatMap { s in step.logProbability.map { s + $0 } } }
    }

    /// Adds an event of the model.
    public mutating func receive(_ event: ModelEvent) {
        switch event {
        case .prompt(let tokens): prompt = tokens
        case .token(let step): steps.append(step)
        case .reasoning(let text): reasoning += text
        case .toolCall(let call): toolCalls.append(call)
        }
    }

    /// Records the end of the generation.
    public mutating func finish(_ response: ModelResponse) {
        model = response.model
        // An endpoint that does not stream tells everything at the end.
        if steps.isEmpty { steps = response.message.text.map { [TokenStep(text: $0)] } ?? [] }
        outcome = Outcome(
            .done, finish: response.finish.name, usage: response.usage, seconds: response.seconds,
            secondsToFirstToken: response.secondsToFirstToken)
    }
}

extension Message {
    /// The text parts joined; `nil` if there are none.
    var text: String? {
        let texts = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return texts.isEmpty ? nil : texts.joined()
    }
}

/// The summary of a generation in lists.
public struct GenerationSummary: Hashable, Sendable {
    public var id: Int64
    public var parent: Generation.Parent?
    public var specification: String
    public var model: String
    public var started: Int64
    public var outcome: Generation.Outcome
    /// The text, cut to what a list shows.
    public var caption: String
    public var stepCount: Int

    public init(_ generation: Generation) {
        id = generation.id
        parent = generation.parent
        specification = generation.document.model
        model = generation.model
        started = generation.started
        outcome = generation.outcome
        caption = String(generation.text.prefix(200))
        stepCount = generation.steps.count
    }

    init(
        id: Int64, parent: Generation.Parent?, specification: String, model: String, started: Int64,
        outcome: Generation.Outcome, caption: String, stepCount: Int
    ) {
        self.id = id
        self.parent = parent
        self.specification = specification
        self.model = model
        self.started = started
        self.outcome = outcome
        self.caption = caption
        self.stepCount = stepCount
    }
}

extension Generation {
    /// Display name of the model: the chosen name, or the file's name if that was a path.
    public var modelTitle: String { document.model.isEmpty || document.model.contains("/") ? model : document.model }
}
