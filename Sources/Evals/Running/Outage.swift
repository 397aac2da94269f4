/// Notices that nothing but failures of the other side comes back, and holds the whole run then.
///
/// A server that restarts would otherwise turn thousands of samples into errors: each would be asked until its retries
/// are spent, and make room for the next. While a run is held one sample after the other tries, with pauses that double.
struct Outage: Sendable {
    /// Seconds of a hold after which the run is stopped; it can be resumed. What never worked is not waited for so long:
    /// least where nothing can be reached.
    private static let longest = (answered: 900.0, unreachable: 30.0, failing: 120.0)
    /// Different samples that have to fail in a row: few where nothing can be reached, more where something answers.
    private static let fewest = (unreachable: 3, failing: 8)
    private static let pauses = (first: 1.0, longest: 15.0)
    /// A sample that tries and does not come back for so long is not waited for.
    private static let patience = 60.0

    /// Whether anything was ever answered.
    private var wasAnswered = false
    private var isUnreachable = false
    private var places: Set<Int> = []
    /// Failures in a row, while nothing was ever answered.
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

    /// Notes a failure of the other side.
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
        // Of a server that never answered, the same few samples say enough.
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
