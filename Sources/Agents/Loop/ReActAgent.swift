public import LanguageModels
public import System

/// A loop of thought, action and observation over any model (Yao et al., "ReAct", 2023).
///
/// In each step the model writes a turn; an action is run and its result is written behind it as an observation; an
/// answer ends the run. A call always gets a result: what the tool gave, why it failed, or why it was not run.
///
/// ```swift
/// let agent = ReActAgent(model, tools: try ToolBox([Calculator()]))
/// let run = agent.run("What is 12 times 7?")
/// print(run.outcome.answer ?? run.outcome.problem ?? "")
/// ```
///
/// What a larger runtime needs attaches here: a run's whole state is `ReActLoop`, a value between two steps; the
/// records that a `AgentRunSink` gets are what a checkpoint has to hold; a sandbox and tools of other processes are
/// implementations of `Tool`.
public struct ReActAgent: Sendable {
    /// How the model is spoken to.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// Messages if the model accepts them; otherwise, text.
        case automatic
        /// One text that the model goes on with.
        case text
        /// A conversation in which actions are text.
        case messages
        /// A conversation with the model's own form of tool calls.
        case tools
    }

    public struct Options: Sendable {
        public var limits: AgentLimits
        public var form: Form
        /// Stop texts and the most tokens of a turn are set by the loop.
        public var sampling: Sampling
        /// How many alternatives of each token are asked for, and kept in the trace.
        public var alternatives: Int
        /// What opens the model again, for the trace.
        public var specification: String?

        public init(
            limits: AgentLimits = AgentLimits(), form: Form = .automatic, sampling: Sampling = .greedy,
            alternatives: Int = 0, specification: String? = nil
        ) {
            self.limits = limits
            self.form = form
            self.sampling = sampling
            self.alternatives = alternatives
            self.specification = specification
        }
    }

    public let model: any LanguageModel
    public let tools: ToolBox
    public let options: Options
    let clock: Clock

    public init(
        _ model: any LanguageModel, tools: ToolBox, options: Options = Options(), clock: Clock = .system
    ) {
        self.model = model
        self.tools = tools
        self.options = options
        self.clock = clock
    }

    /// Answers a question on the calling thread.
    ///
    /// - Parameters:
    ///   - documents: Texts that the model reads before the question.
    ///   - sink: Called with every model call and tool call after it ends.
    ///   - isCancelled: Checked at least every 50 ms while the model works.
    ///   - receive: Called with each event as it happens.
    public func run(
        _ question: String, documents: [String] = [], sink: (any AgentRunSink)? = nil,
        isCancelled: @Sendable () -> Bool = { false }, receive: (AgentEvent) -> Void = { _ in }
    ) -> AgentRun {
        withoutActuallyEscaping(isCancelled) { isCancelled in
            var loop = ReActLoop(self, question, documents, sink, isCancelled)
            return loop.run(receive)
        }
    }

    /// The form in which the model is spoken to.
    var dialogueForm: Dialogue.Form {
        switch options.form {
        case .text: .text
        case .messages: .messages
        case .tools: .tools
        case .automatic: model.capabilities.acceptsMessages ? .messages : .text
        }
    }
}
