/// What is to be run: a task with a solver, and the limits of the run.
public struct EvalOrder: Sendable {
    /// What is asked and how it is judged.
    public var task: EvalTask
    /// Who answers.
    public var solver: any Solver
    /// What scorers find: the judge, the embedder.
    public var room: ScoringRoom
    /// Which samples, how fast, and where it stops.
    public var options: EvalOptions
    /// What starts the run again from nothing: words of the command line, kept with the run.
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

/// How a run goes about it.
public struct EvalOptions: Hashable, Sendable {
    /// Name of the run (default: task and model).
    public var name: String?
    /// Maximum number of samples in flight.
    public var concurrency: Int
    /// Whether fewer samples are in flight while the server is slow or refuses, and more again afterwards.
    public var isAdaptive: Bool
    /// Maximum number of samples; `nil` for all.
    public var limit: Int?
    /// Only samples with these names; empty takes all.
    public var only: Set<String>
    /// Number of epochs (default: the task's own).
    public var epochs: Int?
    /// Decides every choice by lot; the same seed asks every sample with the same number.
    public var seed: UInt64
    /// Whether answers to the same question are taken from earlier runs.
    public var usesCache: Bool
    /// How often a sample is asked again after a failure that may pass.
    public var retries: Int
    /// Where the run stops by itself.
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

/// Where a run stops by itself, with what is done kept.
public struct EvalBudget: Hashable, Sendable {
    /// Maximum number of calls of models and programs, including judges; `nil` for no limit, as for the other budgets.
    public var requests: Int?
    /// Read and written, of all calls together.
    public var tokens: Int?
    /// US dollars.
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
