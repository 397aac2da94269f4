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
    /// What the run is called; nil takes task and model.
    public var name: String?
    /// Maximum number of samples in flight.
    public var concurrency: Int
    /// Whether fewer are at work while the other side is slow or refuses, and more again after that.
    public var isAdaptive: Bool
    /// Only the first so many samples; nil takes all.
    public var limit: Int?
    /// Only samples with these names; empty takes all.
    public var only: Set<String>
    /// Instead of the task's own; nil takes that.
    public var epochs: Int?
    /// Decides every choice by lot; the same seed asks every sample with the same number.
    public var seed: UInt64
    /// Whether answers to the same question are taken from earlier runs.
    public var usesCache: Bool
    /// How often a sample is asked again after a failure that may pass.
    public var retries: Int
    /// Where the run stops by itself.
    public var budget: EvalBudget
    /// The group of a matrix of runs; nil where the run stands alone.
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
    /// Calls of models and programs, judges included; nil for no such budget, as with the others.
    public var requests: Int?
    /// Read and written, of all calls together.
    public var tokens: Int?
    /// US dollars.
    public var cost: Double?
    /// Seconds at work: those of a pause do not count.
    public var seconds: Double?

    public init(requests: Int? = nil, tokens: Int? = nil, cost: Double? = nil, seconds: Double? = nil) {
        self.requests = requests
        self.tokens = tokens
        self.cost = cost
        self.seconds = seconds
    }
}
