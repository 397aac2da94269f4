/// A run to start: a task with a solver, and the limits of the run.
public struct EvalOrder: Sendable {
    /// Task with its samples and scorers.
    public var task: EvalTask
    /// Solver that answers.
    public var solver: any Solver
    /// Resources of scorers: the judge, the embedder.
    public var room: ScoringRoom
    /// Selection of samples, concurrency, and limits.
    public var options: EvalOptions
    /// Command line arguments that start the run again, stored with the run.
    public var arguments: [String]

    public init(
        task: EvalTask, solver: any Solver, room: ScoringRoom = ScoringRoom(), options: EvalOptions = EvalOptions(),
        arguments: [String] = []
    ) {
        self.task = task
        self.solver = solver
        self.room = room
        self.options = options
        self.arguments = arguments
    }
}

/// Options of a run.
public struct EvalOptions: Hashable, Sendable {
    /// Name of the run (default: task and model).
    public var name: String?
    /// Maximum number of samples in flight.
    public var concurrency: Int
    /// Whether fewer samples are in flight while the server is slow or refuses, and more again afterwards.
    public var isAdaptive: Bool
    /// Maximum number of samples; `nil` for all.
    public var limit: Int?
    /// Names of the only samples to run; empty for all.
    public var only: Set<String>
    /// Number of epochs (default: the task's own).
    public var epochs: Int?
    /// Seed for all random choices; equal seeds give each sample the same seed.
    public var seed: UInt64
    /// Whether to reuse answers of earlier runs to equal requests.
    public var usesCache: Bool
    /// Maximum number of retries after a failure that may pass.
    public var retries: Int
    /// Budget at which the run stops.
    public var budget: EvalBudget
    /// Group of a matrix of runs; `nil` for a single run.
    public var group: String?

    public init(
        name: String? = nil, concurrency: Int = 8, isAdaptive: Bool = true, limit: Int? = nil, only: Set<String> = [],
        epochs: Int? = nil, seed: UInt64 = 0, usesCache: Bool = true, retries: Int = 8,
        budget: EvalBudget = EvalBudget(), group: String? = nil
    ) {
        self.name = name
        self.concurrency = concurrency
        self.isAdaptive = isAdaptive
        self.limit = limit
        self.only = only
        self.epochs = epochs
        self.seed = seed
        self.usesCache = usesCache
        self.retries = retries
        self.budget = budget
        self.group = group
    }
}

/// Limits at which a run stops; finished samples are kept.
public struct EvalBudget: Hashable, Sendable {
    /// Maximum number of calls of models and programs, including judges; `nil` for no limit, as for the other budgets.
    public var requests: Int?
    /// Maximum number of tokens, input and output of all calls together.
    public var tokens: Int?
    /// Maximum cost in US dollars.
    public var cost: Double?
    /// Maximum running time in seconds, without pauses.
    public var seconds: Double?

    public init(requests: Int? = nil, tokens: Int? = nil, cost: Double? = nil, seconds: Double? = nil) {
        self.requests = requests
        self.tokens = tokens
        self.cost = cost
        self.seconds = seconds
    }
}
