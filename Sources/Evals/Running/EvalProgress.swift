public import LanguageModels

/// How a run stands, some times a second.
public struct EvalProgress: Hashable, Sendable {
    /// The run's number in the workspace.
    public var run: Int64
    /// Askings that have ended, failures and errors included; an epoch of a sample is one.
    public var completed: Int
    /// Askings that the run consists of.
    public var total: Int
    /// Answers that did not pass.
    public var failed: Int
    /// Askings that ended without an answer.
    public var errors: Int
    /// Answers without a score.
    public var unscored = 0
    /// Seconds that the oldest of those at work has been under way; nil where nobody is.
    public var oldest: Double?
    /// Answers that were taken from earlier runs.
    public var cached: Int
    /// Samples at work, and the most there may be now.
    public var working: Int
    public var concurrency: Int
    /// Samples a second, over the last ten seconds.
    public var rate: Double
    /// Seconds that the rest will take at this rate; nil where nothing has ended yet.
    public var remaining: Double?
    /// Tokens of what was asked.
    public var usage: Usage
    /// Whether an answer came without the number of its tokens, so that `usage` is too little.
    public var isUsageUntold = false
    /// US dollars; nil where they are not known.
    public var cost: Double?
    /// Seconds a request took: median, 95th and 99th of a hundred; nil before the first.
    public var latency: Latency?
    /// What samples wait for, the most common first.
    public var waits: [Wait]
    /// The mean of the first score so far.
    public var score: Double?

    /// How long requests took, in seconds.
    public struct Latency: Hashable, Sendable {
        public var median: Double
        public var p95: Double
        public var p99: Double

        public init(median: Double, p95: Double, p99: Double) {
            self.median = median
            self.p95 = p95
            self.p99 = p99
        }
    }

    /// A cause of waiting.
    public struct Wait: Hashable, Sendable {
        /// Why nothing is asked.
        public enum Cause: Hashable, Sendable {
            /// The other side asked for a pause (429 with or without Retry-After).
            case rateLimit
            /// The other side failed (5xx) or the connection broke, and it is asked again.
            case retry
            /// There is no place among those at work.
            case queued
            /// Somebody paused the run.
            case paused
        }

        public var cause: Cause
        /// How many samples wait for it.
        public var count: Int
        /// Seconds until the first of them goes on; nil where that is not known.
        public var seconds: Double?
        /// `429 Too Many Requests, Retry-After 1 s`.
        public var detail: String

        public init(cause: Cause, count: Int, seconds: Double?, detail: String) {
            self.cause = cause
            self.count = count
            self.seconds = seconds
            self.detail = detail
        }
    }

    public init(
        run: Int64, completed: Int = 0, total: Int, failed: Int = 0, errors: Int = 0, cached: Int = 0,
        working: Int = 0, concurrency: Int, rate: Double = 0, remaining: Double? = nil, usage: Usage = Usage(),
        cost: Double? = nil, latency: Latency? = nil, waits: [Wait] = [], score: Double? = nil
    ) {
        self.run = run
        self.completed = completed
        self.total = total
        self.failed = failed
        self.errors = errors
        self.cached = cached
        self.working = working
        self.concurrency = concurrency
        self.rate = rate
        self.remaining = remaining
        self.usage = usage
        self.cost = cost
        self.latency = latency
        self.waits = waits
        self.score = score
    }
}
