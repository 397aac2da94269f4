public import JSON

/// A setup of runs as words from a command line or a panel, which can be stored before anything is opened.
///
/// ```swift
/// let setup = EvalSetup(task: "reading.toml", models: ["orrery-mini"])
/// for order in try setup.orders(in: workspace) { try EvalRunner(order, workspace: workspace).run() }
/// ```
public struct EvalSetup: Hashable, Sendable {
    /// Path of the task file.
    public var task: String
    /// Models: names in the registry, paths, `openai:...`, `exec:...`; one run each.
    public var models: [String]
    /// Model that judges.
    public var judge: String?
    /// Embedder for scorers that compare meanings.
    public var embedder: String?
    /// Variants of the prompt; empty for the task's choice.
    public var prompts: [String]
    /// Number of examples before the question, instead of the task's own.
    public var fewShot: Int?
    /// Variables for the task's templates.
    public var variables: [JSONValue.Member]
    /// Sampling parameters to vary: one run for every combination.
    public var parameters: [EvalParameter]
    /// Number of alternatives to store for each token, for the tokens panel (default: five for local models, none for
    /// others).
    public var alternatives: Int?
    /// Time limit per sample of a user's program (default: the task's, or a minute).
    public var programSeconds: Double?
    /// Options of each run.
    public var options: EvalOptions

    public init(
        task: String, models: [String], judge: String? = nil, embedder: String? = nil, prompts: [String] = [],
        fewShot: Int? = nil, variables: [JSONValue.Member] = [], parameters: [EvalParameter] = [],
        alternatives: Int? = nil, programSeconds: Double? = nil, options: EvalOptions = EvalOptions()
    ) {
        self.task = task
        self.models = models
        self.judge = judge
        self.embedder = embedder
        self.prompts = prompts
        self.fewShot = fewShot
        self.variables = variables
        self.parameters = parameters
        self.alternatives = alternatives
        self.programSeconds = programSeconds
        self.options = options
    }
}

/// Values of one sampling parameter.
public struct EvalParameter: Hashable, Sendable {
    /// Parameters that can vary.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// Temperature, at least 0.
        case temperature
        /// Above 0 and at most 1.
        case topP = "top_p"
        /// A whole number of at least 1.
        case maximumTokens = "max_tokens"
        /// A whole number from 0 to 2^53.
        case seed
    }

    /// Name of the parameter.
    public var name: Name
    /// Values in order; empty to leave the parameter as in the task.
    public var values: [Double]

    public init(_ name: Name, _ values: [Double]) {
        self.name = name
        self.values = values
    }
}
