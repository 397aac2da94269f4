/// Notices that nothing but failures of the other side comes back, and holds the whole run then.
///
/// A server that restarts would otherwise turn thousands of samples into errors: each would be asked until its retries
/// are spent, and make room for the next. While a run is held one sample after the other tries, with pauses that double.
struct Outage: Sendable {
    /// Seconds of a hold after which the run is stopped; it can be resumed.
    static let longest = 900.0
    /// Different samples that have to fail in a row: few where nothing can be reached, more where something answers.
    private static let fewest = (unreachable: 3, failing: 8)
    private static let pauses = (first: 1.0, longest: 15.0)
    /// A sample that tries and does not come back for so long is not waited for.
    private static let patience = 60.0

    /// Whether anything was ever answered: what never worked is told at once, and not waited for.
    private(set) var wasAnswered = false
    private var places: Set<Int> = []
    private var pause = 0.0
    private(set) var detail = ""
    /// When the hold began, and when the next sample may try; nil where nothing is held.
    private(set) var hold: (since: Double, until: Double)?

    /// Notes an answer, or a refusal that shows that somebody is there.
    mutating func ended(wasAnswered: Bool) {
        if wasAnswered { self.wasAnswered = true }
        places = []
        hold = nil
    }

    /// Notes a failure of the other side.
    mutating func failed(_ work: RunSchedule.Work, isUnreachable: Bool, detail: String, at now: Double) {
        self.detail = detail
        if let current = hold {
            guard work.start >= current.since else { return }
            pause = min(2 * pause, Self.pauses.longest)
            hold = (current.since, now + pause)
            return
        }
        places.insert(work.place)
        guard wasAnswered, places.count >= (isUnreachable ? Self.fewest.unreachable : Self.fewest.failing) else {
            return
        }
        pause = Self.pauses.first
        hold = (now, now + pause)
    }

    /// Notes that a sample tries.
    mutating func tries(at now: Double) { if let current = hold { hold = (current.since, now + Self.patience) } }

    /// Whether a sample was asked before the run was held: its failure says nothing new.
    func isEarlier(_ work: RunSchedule.Work) -> Bool { hold.map { work.start < $0.since } ?? false }

    /// Why the run has to end; nil where it need not.
    func reason(at now: Double) -> String? {
        guard let hold, now - hold.since >= Self.longest else { return nil }
        return "nobody has answered for \(Int(Self.longest / 60)) minutes: \(detail)"
    }
}
