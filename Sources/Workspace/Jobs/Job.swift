/// A background job: a row with its state, progress, and result.
public struct Job: Sendable, Equatable, Identifiable {
    /// States of a job.
    public enum State: String, Sendable, CaseIterable {
        /// The job has not started.
        case waiting
        /// A process is running the job.
        case running
        /// The job has finished successfully.
        case done
        /// The job has ended with an error.
        case failed
        /// The job was canceled.
        case cancelled
        /// The process ended before the job did, for example because of kill -9 or a power failure.
        case interrupted

        /// Whether the job is waiting or running.
        public var isActive: Bool { self == .waiting || self == .running }
    }

    /// Row ID, which is the job number.
    public let id: Int64
    /// Kind of job, such as "traces.import", which determines how it is resumed.
    public let kind: String
    /// Short title for the user, such as "import session.jsonl".
    public let title: String
    /// JSON text with everything needed to start the job again.
    public let arguments: String?
    /// Current state.
    public internal(set) var state: State
    /// Number of completed ``unit``s.
    public internal(set) var done: Int64
    /// Total number of ``unit``s; `nil` if unknown.
    public internal(set) var total: Int64?
    /// Unit of ``done`` and ``total``, such as "spans" or "bytes".
    public internal(set) var unit: String
    /// Result of a finished job, as JSON text.
    public internal(set) var result: String?
    /// Error message of a failed job.
    public internal(set) var error: String?
    /// ID of the process that is running the job or ran it last.
    public let pid: Int32?
    /// Time at which the job was created, in seconds since 1970.
    public let created: Double
    /// Time at which the job last started, in seconds since 1970; `nil` if it has not started.
    public let started: Double?
    /// Time of the last update of the row, in seconds since 1970.
    public internal(set) var updated: Double
    /// Time at which the job ended, in seconds since 1970; `nil` if it has not ended.
    public internal(set) var finished: Double?

    /// Completed fraction, 0 to 1; `nil` if the total is unknown.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(done) / Double(total)))
    }
}
