internal import LanguageModels
internal import Providers

/// The schedule of a run as a value: which sample is sent next and when. Callers pass the time.
///
/// It knows neither threads nor models. `next(at:)` hands out work, and `ended` and `failed` take it back.
package struct RunSchedule: Sendable {
    /// An attempt at a sample.
    package struct Work: Hashable, Sendable {
        /// Index in the run.
        package var place: Int
        /// Number of earlier attempts.
        package var retries = 0
        /// Number of attempts that failed after minutes.
        package var slow = 0
        /// Start time on the clock of the run.
        package var start = 0.0
    }

    /// Next steps of a worker without work.
    package enum Step: Hashable, Sendable {
        case work(Work)
        case wait
        case end
    }

    /// Reasons to hand out nothing more.
    package enum Stop: Hashable, Sendable {
        case cancelled
        case budget(String)
        case failed(String)
    }

    /// Indices that have not been sent yet, in order.
    let places: [Int]
    private(set) var position = 0
    private(set) var retries = RetryHeap()
    private(set) var outage = Outage()
    /// Number of answers.
    private(set) var answers = 0
    /// Number of samples in flight.
    package private(set) var working = 0
    /// Limit on samples in flight.
    package private(set) var limit: AdaptiveLimit
    /// Time before which nothing is sent, because the server asked for a pause.
    package private(set) var restUntil = -Double.infinity
    private(set) var restCause = EvalProgress.Wait.Cause.rateLimit
    private(set) var restDetail = ""
    /// Whether the run is paused; nothing is handed out then.
    package var isPaused = false
    /// Reason to hand out nothing more; `nil` while the run continues.
    package private(set) var stop: Stop?
    /// Whether samples in flight end too, because their results can be neither awaited nor stored.
    package private(set) var isCut = false
    /// Start times of samples in flight, by index.
    private var starts: [Int: Double] = [:]
    /// Total usage of the run, including usage before it was resumed.
    package private(set) var spent: EvalSpending
    let budget: EvalBudget
    private let policy: RetryPolicy
    /// Usage of the most expensive sample, which estimates those in flight; `nil` before the first answer.
    private(set) var most: EvalSpending?
    let spentBefore: EvalSpending
    /// Seconds paused, and the time of the last tick.
    private var rested = 0.0
    private var lastTick = 0.0
    /// Maximum pause to wait for; if the server asks for more, the run ends and can be resumed.
    private static let longestPause = 3600.0

    package init(places: [Int], options: EvalOptions, spent: EvalSpending = EvalSpending()) {
        self.places = places
        limit = AdaptiveLimit(most: options.concurrency, isAdaptive: options.isAdaptive)
        budget = options.budget
        policy = RetryPolicy(retries: max(0, options.retries), longestAsked: Self.longestPause)
        self.spent = spent
        spentBefore = spent
    }

    /// Whether there is nothing left to hand out or to wait for.
    package var isOver: Bool { working == 0 && (stop != nil || (position == places.count && retries.isEmpty)) }

    /// Number of samples that are not in flight and have not ended.
    package var waiting: Int { places.count - position + retries.count }

    /// Returns the next sample to send, if there is room for it.
    ///
    /// - Parameter now: Seconds of the run's clock.
    package mutating func next(at now: Double) -> Step {
        if stop != nil { return .end }
        // A run is done when its last sample is answered, whatever it cost.
        if position == places.count, retries.isEmpty { return working == 0 ? .end : .wait }
        if let reason = spentBudget {
            stop = .budget(reason)
            return .end
        }
        guard hasRoom(at: now) else { return .wait }
        let isHeld = outage.hold != nil
        outage.tries(at: now)
        working += 1
        if let first = retries.first, isHeld || first.due <= now, var work = retries.removeFirst()?.work {
            work.start = now
            starts[work.place] = now
            return .work(work)
        }
        defer { position += 1 }
        starts[places[position]] = now
        return .work(Work(place: places[position], start: now))
    }

    /// Returns whether a waiting worker could start something now.
    package func hasRoom(at now: Double) -> Bool {
        guard stop == nil, !isPaused, now >= restUntil, hasBudget else { return false }
        // While the server does not answer, one sample tries, whatever else is in flight.
        if let hold = outage.hold { return now >= hold.until && waiting > 0 }
        guard working < limit.count else { return false }
        return position < places.count || retries.first.map { $0.due <= now } ?? false
    }

    /// Returns when something will be due that is not due yet; `nil` if nothing will.
    package func due(after now: Double) -> Double? {
        guard stop == nil, !isPaused, waiting > 0 else { return nil }
        if restUntil > now { return restUntil }
        if let hold = outage.hold { return hold.until > now ? hold.until : nil }
        return retries.first.flatMap { $0.due > now ? $0.due : nil }
    }

    /// Takes back a sample that was answered or ended in an error.
    ///
    /// - Parameter place: Index of the sample; `nil` if its age does not matter.
    package mutating func ended(_ took: EvalSpending, succeeded: Bool, place: Int? = nil) {
        leave(place)
        spend(took)
        if succeeded || took.usage.total > 0 { note(took) }
        guard succeeded else { return }
        limit.succeeded()
        answers += 1
        outage.ended(wasAnswered: true)
    }

    /// Notes that the server is reachable although it refuses.
    package mutating func heard() { outage.ended(wasAnswered: false) }

    /// Notes that the model has answered, which says nothing about the judge.
    package mutating func wasThere() { outage.wasThere() }

    /// Takes back a sample that is discarded because the run was stopped.
    package mutating func dropped(place: Int? = nil) { leave(place) }

    private mutating func leave(_ place: Int?) {
        working -= 1
        if let place { starts[place] = nil }
    }

    /// Returns the age in seconds of the oldest sample in flight; `nil` if there is none.
    package func oldest(at now: Double) -> Double? { starts.values.min().map { max(0, now - $0) } }

    /// Takes back a sample that failed in a way that may pass.
    ///
    /// - Parameters:
    ///   - asked: Seconds that the server wants all requests to pause.
    ///   - took: Usage until the failure.
    ///   - lot: Random number in [0, 1) for the pause if the server names none.
    ///   - maximumRetries: Maximum retries for this kind of failure, whatever the general limit is.
    /// - Returns: `false` if the retries are exhausted; the sample is then still in flight.
    package mutating func failed(
        _ work: Work, cause: EvalProgress.Wait.Cause, asked: Double?, detail: String, lot: Double, at now: Double,
        isUnreachable: Bool = false, maximumRetries: Int? = nil,
        took: EvalSpending = EvalSpending(requests: 1, cost: 0)
    ) -> Bool {
        limit.failed(start: work.start, now: now)
        if cause == .rateLimit {
            heard()
        } else {
            outage.failed(work, isUnreachable: isUnreachable, detail: detail, at: now)
        }
        if let asked, asked > Self.longestPause {
            stop(.failed("the server requested a pause of \(Self.words(seconds: asked)): \(detail)"))
            leave(work.place)
            spend(took)
            return true
        }
        var work = work
        if let maximumRetries {
            work.slow += 1
            if work.slow > maximumRetries { return false }
        }
        // While the server does not answer, failures are free; the run limits how long that may last.
        let isFree = outage.hold != nil && maximumRetries == nil
        let granted = policy.pause(before: work.retries + (isFree ? 0 : 1), asked: asked, lot: lot)
        guard let pause = granted ?? (isFree ? 1 : nil) else { return false }
        if let asked, asked > 0, now + asked > restUntil {
            restUntil = now + asked
            restCause = cause
            restDetail = detail
        }
        if !isFree { work.retries += 1 }
        leave(work.place)
        spend(took)
        retries.insert(
            RetryHeap.Retry(
                work: work, due: now + pause, cause: cause, detail: detail, isUnreachable: isUnreachable,
                answers: answers))
        return true
    }

    /// Hands out nothing more; the first reason counts.
    ///
    /// - Parameter cutting: Whether samples in flight end too.
    package mutating func stop(_ reason: Stop, cutting: Bool = false) {
        if stop == nil { stop = reason }
        if cutting { isCut = true }
    }

    /// Sets the maximum number of samples in flight.
    package mutating func setConcurrency(_ count: Int) { limit.setMost(count) }

    /// Notes how long the run has been running, and stops it after its time limit.
    package mutating func tick(seconds: Double) {
        // Pauses without samples in flight do not count.
        if isPaused, working == 0 { rested += max(0, seconds - lastTick) }
        lastTick = max(lastTick, seconds)
        spent.seconds = spentBefore.seconds + max(0, seconds - rested)
        if let most = budget.seconds, spent.seconds >= most {
            stop(.budget(spentBudget ?? "the budget of \(most) seconds is exhausted"), cutting: true)
        }
        if let reason = outage.reason(at: seconds) { stop(.failed(reason), cutting: true) }
    }

    private mutating func note(_ took: EvalSpending) {
        var known = most ?? EvalSpending()
        known.requests = max(known.requests, took.requests)
        if took.usage.total > known.usage.total { known.usage = took.usage }
        known.cost = max(known.cost ?? 0, took.cost ?? 0)
        most = known
    }

    private mutating func spend(_ took: EvalSpending) {
        spent.requests += took.requests
        spent.usage += took.usage
        spent.cost = took.cost.flatMap { cost in spent.cost.map { $0 + cost } }
        spent.isUntold = spent.isUntold || took.isUntold
    }
}
