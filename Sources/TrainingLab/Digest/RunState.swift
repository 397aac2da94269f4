public import Training

/// How a run stands.
///
/// Raw values are stored: never renumber.
public enum RunState: Int, Sendable, CaseIterable {
    case running = 0
    case paused = 1
    case finished = 2
    /// A person stopped it; it resumes from its last checkpoint.
    case stopped = 3
    case failed = 4
    case diverged = 5
    /// The process ended without recording why. Reading finds this out; the run does not write it.
    case interrupted = 6
    /// A run of another program whose files have not grown for a while: whether it ended is not recorded.
    case idle = 7

    /// The state that an event leads to; `nil` if it changes nothing.
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
        case .idle: "idle"
        }
    }

    /// Whether the run obeys commands.
    public var isLive: Bool { self == .running || self == .paused }

    /// Nanoseconds without a heartbeat after which a run of this program counts as interrupted.
    static let patience: Int64 = 30_000_000_000
    /// Nanoseconds without a new byte after which a run of another program is idle.
    static let idleAfter: Int64 = 120_000_000_000

    /// What a stored state means at a moment.
    static func seen(
        stored: RunState, isForeign: Bool, heartbeat: Int64, process: ProcessMark?, at now: Int64
    ) -> RunState {
        guard stored.isLive else { return stored }
        let silence = now &- heartbeat
        if isForeign { return silence > idleAfter ? .idle : stored }
        if process?.life == .gone || silence > patience { return .interrupted }
        return stored
    }
}
