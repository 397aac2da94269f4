/// Detects that the server only fails, and then holds the whole run.
///
/// A restarting server would otherwise turn thousands of samples into errors, each after its retries. While a run is
/// held, one sample after another tries, with pauses that double.
struct Outage: Sendable {
    /// Seconds of a hold after which the run stops; it can be resumed. The limit is lower if the server never answered,
    /// and lowest if it is unreachable.
    private static let longest = (answered: 900.0, unreachable: 30.0, failing: 120.0)
    /// Number of different samples that must fail in a row: lower if the server is unreachable.
    private static let fewest = (unreachable: 3, failing: 8)
    private static let pauses = (first: 1.0, longest: 15.0)
    /// Seconds after which a trying sample that has not returned is no longer awaited.
    private static let patience = 60.0

    /// Whether the server has ever answered.
    private var wasAnswered = false
    private var isUnreachable = false
    private var places: Set<Int> = []
    /// Failures in a row before the first answer.
    private var failures = 0
    private var pause = 0.0
    private(set) var detail = ""
    /// Start of the hold, and time of the next attempt; `nil` without a hold.
    private(set) var hold: (since: Double, until: Double)?

    /// Notes an answer, or a refusal that shows that the server is reachable.
    mutating func ended(wasAnswered: Bool) {
        if wasAnswered { self.wasAnswered = true }
        places = []
        failures = 0
        hold = nil
    }

    /// Notes that the server answered earlier, which says nothing about the current failures.
    mutating func wasThere() { wasAnswered = true }

    /// Notes a failure of the server.
    mutating func failed(_ work: RunSchedule.Work, isUnreachable: Bool, detail: String, at now: Double) {
        self.detail = detail
        self.isUnreachable = isUnreachable
        if let current = hold {
            guard work.start >= current.since else { return }
            pause = min(2 * pause, Self.pauses.longest)
            hold = (current.since, now + pause)
            return
        }
        places.insert(work.place)
        failures += 1
        // For a server that never answered, repeated failures of the same samples are enough.
        let count = wasAnswered ? places.count : failures
        guard count >= (isUnreachable ? Self.fewest.unreachable : Self.fewest.failing) else { return }
        pause = Self.pauses.first
        hold = (now, now + pause)
    }

    /// Notes that a sample tries.
    mutating func tries(at now: Double) { if let current = hold { hold = (current.since, now + Self.patience) } }

    /// Returns why the run must end; `nil` if it need not.
    func reason(at now: Double) -> String? {
        let never = isUnreachable ? Self.longest.unreachable : Self.longest.failing
        let longest = wasAnswered ? Self.longest.answered : never
        guard let hold, now - hold.since >= longest else { return nil }
        let time = longest < 120 ? "\(Int(longest)) seconds" : "\(Int(longest / 60)) minutes"
        return "no reply for \(time): \(detail)"
    }
}
