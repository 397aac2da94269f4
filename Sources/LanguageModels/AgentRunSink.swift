/// Where a span stands in its run: spans are numbered from 0, the agent's own.
public struct SpanPlace: Hashable, Sendable {
    public var number: Int
    public var parent: Int

    public init(number: Int, parent: Int = 0) {
        self.number = number
        self.parent = parent
    }
}

/// One call of a tool, as a span of a trace keeps it.
public struct ToolRun: Hashable, Sendable {
    /// What was asked, arguments as they were written.
    public var call: ToolCall
    /// What came back, or the sentence of an error.
    public var result: ToolResult
    /// Nanoseconds since 1970.
    public var start: Int64
    public var end: Int64

    public init(call: ToolCall, result: ToolResult, start: Int64, end: Int64) {
        self.call = call
        self.result = result
        self.start = start
        self.end = end
    }
}

/// What begins a run of an agent.
public struct RunBeginning: Hashable, Sendable {
    /// `react`.
    public var agent: String
    public var question: String
    public var model: String
    public var provider: String
    public var tools: [ToolDefinition]
    /// Settings and limits, in the order in which they are shown.
    public var settings: [Setting]
    /// Nanoseconds since 1970.
    public var start: Int64

    /// A limit or another choice that was made for the run.
    public struct Setting: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

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

/// What ends a run of an agent.
public struct RunEnding: Hashable, Sendable {
    /// `answered`, `step limit`, `cancelled`.
    public var outcome: String
    public var answer: String?
    /// Why there is no answer; nil where there is one.
    public var problem: String?
    public var steps: Int
    /// Of all model calls together.
    public var usage: Usage
    /// Nanoseconds since 1970.
    public var end: Int64

    public init(outcome: String, answer: String?, problem: String?, steps: Int, usage: Usage, end: Int64) {
        self.outcome = outcome
        self.answer = answer
        self.problem = problem
        self.steps = steps
        self.usage = usage
        self.end = end
    }
}

/// What is told of a run while it is running.
public enum AgentRunRecord: Sendable {
    case began(RunBeginning)
    case model(ModelCall, SpanPlace)
    case tool(ToolRun, SpanPlace)
    case ended(RunEnding)
}

/// Where runs of agents are reported to: `Traces` keeps each as one trace, tests collect them.
///
/// A record comes when its work is over, on the thread that did it, `began` first and `ended` last; of a run that is
/// killed, everything but `ended` has come.
public protocol AgentRunSink: Sendable {
    func record(_ record: AgentRunRecord)
}
