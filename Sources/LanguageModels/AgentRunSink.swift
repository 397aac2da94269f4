/// The position of a span in the tree of its run.
/// The agent's span has number 0.
public struct SpanPosition: Hashable, Sendable {
    /// Number of the span.
    public var number: Int
    /// Number of the parent span.
    public var parent: Int

    /// Creates a position.
    public init(number: Int, parent: Int = 0) {
        self.number = number
        self.parent = parent
    }
}

/// A finished tool call, which becomes a span of a trace.
public struct ToolRun: Hashable, Sendable {
    /// Tool call with its original arguments.
    public var call: ToolCall
    /// Result of the tool, or an error message.
    public var result: ToolResult
    /// Start time in nanoseconds since 1970.
    public var start: Int64
    /// End time in nanoseconds since 1970.
    public var end: Int64

    /// Creates a finished tool call.
    public init(call: ToolCall, result: ToolResult, start: Int64, end: Int64) {
        self.call = call
        self.result = result
        self.start = start
        self.end = end
    }
}

/// A record of an agent run's start.
public struct RunStart: Hashable, Sendable {
    /// Kind of agent, such as `react`.
    public var agent: String
    /// Question or task for the agent.
    public var question: String
    /// Name of the model.
    public var model: String
    /// Provider of the model.
    public var provider: String
    /// Tools that the agent can call.
    public var tools: [ToolDefinition]
    /// Settings and limits, in display order.
    public var settings: [Setting]
    /// Start time in nanoseconds since 1970.
    public var start: Int64

    /// A setting or limit of the run.
    public struct Setting: Hashable, Sendable {
        /// Name shown to the user.
        public var name: String
        /// Value as text.
        public var value: String

        /// Creates a setting.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a record of a run's start.
    public init(
        agent: String, question: String, model: String, provider: String, tools: [ToolDefinition],
        settings: [Setting] = [], start: Int64
    ) {
        self.agent = agent
        self.question = question
        self.model = model
        self.provider = provider
        self.tools = tools
        self.start = start
        self.settings = settings
    }
}

/// A record of an agent run's end.
public struct RunEnd: Hashable, Sendable {
    /// Outcome, such as `answered`, `step limit`, or `cancelled`.
    public var outcome: String
    /// The agent's answer; `nil` if there is none.
    public var answer: String?
    /// Reason for a missing answer; `nil` if there is an answer.
    public var problem: String?
    /// Number of steps.
    public var steps: Int
    /// Token usage of all model calls combined.
    public var usage: Usage
    /// End time in nanoseconds since 1970.
    public var end: Int64

    /// Creates a record of a run's end.
    public init(outcome: String, answer: String?, problem: String?, steps: Int, usage: Usage, end: Int64) {
        self.outcome = outcome
        self.answer = answer
        self.problem = problem
        self.steps = steps
        self.usage = usage
        self.end = end
    }
}

/// Records of an agent run.
public enum AgentRunRecord: Sendable {
    /// The run has started.
    case began(RunStart)
    /// A model call has finished.
    case model(ModelCall, SpanPosition)
    /// A tool call has finished.
    case tool(ToolRun, SpanPosition)
    /// The run has ended.
    case ended(RunEnd)
}

/// A receiver of agent run records: `Traces` stores each run as a trace, and tests collect the records.
///
/// `began` is the first record and `ended` the last. Model and tool calls are recorded when they finish, on the thread
/// that made the call. A killed run has no `ended` record.
public protocol AgentRunSink: Sendable {
    /// Receives a record.
    func record(_ record: AgentRunRecord)
}
