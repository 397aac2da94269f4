public import Training

/// How a run stands.
///
/// Raw values are stored: never renumber.
public enum RunState: Int, Sendable, CaseIterable {
    case running = 0
    case paused = 1
    case finished = 2
    /// A person ended it; it can go on from its last checkpoint.
    case stopped = 3
    case failed = 4
    case diverged = 5
    /// The process went away without a word. This is found out by reading, not written by the run.
    case interrupted = 6
    /// A run of others, from whose files nothing new has come for a while: nobody says whether it ended.
    case quiet = 7

    /// The state that an event leads to; nil where it changes nothing.
    public init?(after event: RunEvent.Kind) {
        switch event {
        case .started, .resumed, .continued: self = .running
        case .paused: self = .paused
        case .diverged: self = .diverged
        case .stopped: self = .stopped
        case .finished: self = .finished
        case .failed: self = .failed
        case .checkpoint, .rateChanged, .warning: return nil
        }
    }

    /// One lowercase word.
    public var word: String {
        switch self {
        case .running: "running"
        case .paused: "paused"
        case .finished: "finished"
        case .stopped: "stopped"
        case .failed: "failed"
        case .diverged: "diverged"
        case .interrupted: "interrupted"
        case .quiet: "quiet"
        }
    }

    /// Whether the run would obey an order.
    public var isLive: Bool { self == .running || self == .paused }

    /// Without a sign of life for so long, a run of ours counts as interrupted: nanoseconds.
    static let patience: Int64 = 30_000_000_000
    /// Without a new byte for so long, a run of others is quiet: nanoseconds.
    static let quietAfter: Int64 = 120_000_000_000

    /// What a stored state means at a moment.
    static func seen(
        stored: RunState, isForeign: Bool, heartbeat: Int64, process: ProcessMark?, at now: Int64
    ) -> RunState {
        guard stored.isLive else { return stored }
        let silence = now &- heartbeat
        if isForeign { return silence > quietAfter ? .quiet : stored }
        if process?.life == .gone || silence > patience { return .interrupted }
        return stored
    }
}
