/// One sample of a run as lists and statistics need it: short texts, all numbers.
public struct EvalRow: Hashable, Sendable {
    /// How the sample came out.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        case passed
        case failed
        /// The sample has a score without a passing limit, such as a perplexity or a grade.
        case scored
        /// It ended in an error: of the model, a program, a limit.
        case error
        /// The sample has a generation but no score: a judge's reply was unreadable, or it has not been rated yet.
        case unscored
    }

    /// Its place in the log, from 0.
    public var index: Int
    /// The sample's name: what samples of two runs are joined by, with `epoch`.
    public var id: String
    /// From 1.
    public var epoch: Int
    public var outcome: Outcome
    /// Scores in the order of `EvalRun.scores`; NaN if the sample has none.
    public var scores: [Double]
    /// The first 200 characters, in one line each.
    public var input: String
    public var answer: String
    public var target: String
    /// Cluster of dependent samples, such as questions about one document; `nil` if samples are independent.
    public var cluster: String?
    /// Slices in the order of `EvalRun.slices`; empty texts if the sample has none.
    public var slices: [String]
    /// Why there is no generation or no score; `nil` if there is no problem.
    public var problem: String?
    public var seconds: Double?
    public var tokens: Int?
    /// US dollars.
    public var cost: Double?
    /// Whether the answer was taken from an earlier run: `seconds` is `nil` then, `tokens` and `cost` are what the
    /// answer took there.
    public var wasCached = false

    public init(
        index: Int, id: String, epoch: Int = 1, outcome: Outcome, scores: [Double], input: String, answer: String = "",
        target: String = "", cluster: String? = nil, slices: [String] = [], problem: String? = nil,
        seconds: Double? = nil, tokens: Int? = nil, cost: Double? = nil
    ) {
        self.index = index
        self.id = id
        self.epoch = epoch
        self.outcome = outcome
        self.scores = scores
        self.input = input
        self.answer = answer
        self.target = target
        self.cluster = cluster
        self.slices = slices
        self.problem = problem
        self.seconds = seconds
        self.tokens = tokens
        self.cost = cost
    }
}
