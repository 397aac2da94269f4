/// A piece of work that takes long enough to be seen: a row with its state, progress and result.
public struct Job: Sendable, Equatable, Identifiable {
    public enum State: String, Sendable, CaseIterable {
        case waiting, running, done, failed, cancelled
        /// Its process ended without a word, by kill -9 or the loss of power.
        case interrupted

        /// Whether a process is supposed to be at work on it.
        public var isActive: Bool { self == .waiting || self == .running }
    }

    public let id: Int64
    /// What kind of work it is, under which it is resumed: "traces.import".
    public let kind: String
    /// A short name for people: "import session.jsonl".
    public let title: String
    /// JSON text from which the work can be started again.
    public let arguments: String?
    public internal(set) var state: State
    /// How many ``unit``s are done, of ``total`` where that is known.
    public internal(set) var done: Int64
    public internal(set) var total: Int64?
    public internal(set) var unit: String
    /// JSON text, once it is done.
    public internal(set) var result: String?
    /// A sentence, once it has failed.
    public internal(set) var error: String?
    /// The process that works or worked on it.
    public let pid: Int32?
    /// Seconds since 1970.
    public let created: Double
    public let started: Double?
    public internal(set) var updated: Double
    public internal(set) var finished: Double?

    /// The part that is done, 0 to 1; nil where the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(done) / Double(total)))
    }
}
