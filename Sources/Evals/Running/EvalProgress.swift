public import LanguageModels

/// The state of a run, reported several times per second.
public struct EvalProgress: Hashable, Sendable {
    /// Number of the run in the workspace.
    public var run: Int64
    /// Number of attempts that have ended, including failures and errors; an epoch of a sample is one attempt.
    public var completed: Int
    /// Total number of attempts in the run.
    public var total: Int
    /// Number of answers that did not pass.
    public var failed: Int
    /// Number of attempts that ended without an answer.
    public var errors: Int
    /// Number of answers without a score.
    public var unscored = 0
    /// Age in seconds of the oldest sample in flight; `nil` if there is none.
    public var oldest: Double?
    /// Number of answers from earlier runs.
    public var cached: Int
    /// Number of samples in flight, and its current limit.
    public var working: Int
    public var concurrency: Int
    /// Samples per second, over the last ten seconds.
    public var rate: Double
    /// Estimated seconds until the end at the current rate; `nil` before the first sample has ended.
    public var remaining: Double?
    /// Token usage.
    public var usage: Usage
    /// Whether a response reported no token count, so that `usage` is too low.
    public var isUsageUntold = false
    /// Cost in US dollars; `nil` if unknown.
    public var cost: Double?
    /// Seconds per request: median, 95th and 99th percentile; `nil` before the first.
    public var latency: Latency?
    /// Waits of samples, most common first.
    public var waits: [Wait]
    /// Mean of the first score so far.
    public var score: Double?

    /// Latency of requests in seconds.
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
        /// Causes of waits.
        public enum Cause: Hashable, Sendable {
            /// The server asked for a pause (429 with or without Retry-After).
            case rateLimit
            /// The server failed (5xx) or the connection broke, and the request is retried.
            case retry
            /// The limit on samples in flight is reached.
            case queued
            /// The user paused the run.
            case paused
        }

        public var cause: Cause
        /// Number of waiting samples.
        public var count: Int
        /// Seconds until the first of them continues; `nil` if unknown.
        public var seconds: Double?
        /// Text such as `429 Too Many Requests, Retry-After 1 s`.
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
