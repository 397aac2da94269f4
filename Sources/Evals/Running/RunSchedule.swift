internal import LanguageModels
internal import Providers

/// Which sample is asked next and when: the order of a run as a value, to which the time is told.
///
/// It knows neither threads nor models. `next(at:)` hands out work, `ended` and `failed` take it back.
package struct RunSchedule: Sendable {
    /// One asking of a sample.
    package struct Work: Hashable, Sendable {
        /// The place in the run.
        package var place: Int
        /// How often it was asked before.
        package var retries = 0
        /// How often it came to nothing after minutes.
        package var slow = 0
        /// When it was handed out, on the clock of the run.
        package var start = 0.0
    }

    /// What somebody without work is to do.
    package enum Step: Hashable, Sendable {
        case work(Work)
        case wait
        case end
    }

    /// Why nothing more is handed out.
    package enum Stop: Hashable, Sendable {
        case cancelled
        case budget(String)
        case failed(String)
    }

    /// Places that nobody was asked for yet, in their order.
    let places: [Int]
    private(set) var position = 0
    private(set) var retries = RetryHeap()
    private(set) var outage = Outage()
    /// How often somebody has answered.
    private(set) var answers = 0
    /// Samples that were handed out and not taken back.
    package private(set) var working = 0
    /// How many may be.
    package private(set) var limit: AdaptiveLimit
    /// Nothing is asked before this moment: the other side wants to be left alone.
    package private(set) var restUntil = -Double.infinity
    private(set) var restCause = EvalProgress.Wait.Cause.rateLimit
    private(set) var restDetail = ""
    /// Nothing is handed out while it is set.
    package var isPaused = false
    /// Why nothing more is handed out; nil while it is running.
    package private(set) var stop: Stop?
    /// Whether what is at work ends too: nothing that it may still bring can be waited for, or kept.
    package private(set) var isCut = false
    /// When those at work began, by place.
    private var starts: [Int: Double] = [:]
    /// What the run has taken, before it went on included.
    package private(set) var spent: EvalSpending
    let budget: EvalBudget
    private let policy: RetryPolicy
    /// The most that one sample took, for guesses at those at work; nil before the first answer.
    private(set) var most: EvalSpending?
    let spentBefore: EvalSpending
    /// Seconds in which it was paused, and when the time was told last.
    private var rested = 0.0
    private var lastTick = 0.0
    /// A server that wants a longer pause than this is not waited for: the run ends, and can go on then.
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

    /// Samples that were not handed out yet.
    package var waiting: Int { places.count - position + retries.count }

    /// The next sample to ask, where there is a place for it.
    ///
    /// - Parameter now: seconds of the run's clock.
    package mutating func next(at now: Double) -> Step {
        if stop != nil { return .end }
        // A run whose last sample is answered is done, whatever it took.
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

    /// Whether somebody who waits could begin something now.
    package func hasRoom(at now: Double) -> Bool {
        guard stop == nil, !isPaused, now >= restUntil, hasBudget else { return false }
        // One tries while nobody answers, whatever else is still under way.
        if let hold = outage.hold { return now >= hold.until && waiting > 0 }
        guard working < limit.count else { return false }
        return position < places.count || retries.first.map { $0.due <= now } ?? false
    }

    /// When something will be due that is not yet; nil where nothing will.
    package func due(after now: Double) -> Double? {
        guard stop == nil, !isPaused, waiting > 0 else { return nil }
        if restUntil > now { return restUntil }
        if let hold = outage.hold { return hold.until > now ? hold.until : nil }
        return retries.first.flatMap { $0.due > now ? $0.due : nil }
    }

    /// Takes back a sample that was answered or ended in an error.
    ///
    /// - Parameter place: nil where it does not matter how old the others are.
    package mutating func ended(_ took: EvalSpending, succeeded: Bool, place: Int? = nil) {
        leave(place)
        spend(took)
        if succeeded || took.usage.total > 0 { note(took) }
        guard succeeded else { return }
        limit.succeeded()
        answers += 1
        outage.ended(wasAnswered: true)
    }

    /// Notes that somebody is there, though he refuses.
    package mutating func heard() { outage.ended(wasAnswered: false) }

    /// Notes that the model has answered, of which a judge says nothing.
    package mutating func wasThere() { outage.wasThere() }

    /// Takes back a sample that nobody will hear of, because the run was stopped.
    package mutating func dropped(place: Int? = nil) { leave(place) }

    private mutating func leave(_ place: Int?) {
        working -= 1
        if let place { starts[place] = nil }
    }

    /// Seconds that the oldest of those at work has been under way; nil where nobody is.
    package func oldest(at now: Double) -> Double? { starts.values.min().map { max(0, now - $0) } }

    /// Takes back a sample that failed in a way that may pass.
    ///
    /// - Parameters:
    ///   - asked: seconds that the other side wants to be left alone, by all of us.
    ///   - took: what it cost until it failed.
    ///   - lot: in [0, 1), for the pause where it names none.
    ///   - mostRetries: how often a failure of this kind is worth another try, however many others are.
    /// - Returns: false where it was asked often enough: it is still at work then.
    package mutating func failed(
        _ work: Work, cause: EvalProgress.Wait.Cause, asked: Double?, detail: String, lot: Double, at now: Double,
        isUnreachable: Bool = false, mostRetries: Int? = nil,
        took: EvalSpending = EvalSpending(requests: 1, cost: 0)
    ) -> Bool {
        limit.failed(start: work.start, now: now)
        if cause == .rateLimit {
            heard()
        } else {
            outage.failed(work, isUnreachable: isUnreachable, detail: detail, at: now)
        }
        if let asked, asked > Self.longestPause {
            stop(.failed("the server asks for a pause of \(Self.words(seconds: asked)): \(detail)"))
            leave(work.place)
            spend(took)
            return true
        }
        var work = work
        if let mostRetries {
            work.slow += 1
            if work.slow > mostRetries { return false }
        }
        // While nobody answers no sample is used up: how long that may last is the run's limit.
        let isFree = outage.hold != nil && mostRetries == nil
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
    /// - Parameter cutting: whether what is at work ends too.
    package mutating func stop(_ reason: Stop, cutting: Bool = false) {
        if stop == nil { stop = reason }
        if cutting { isCut = true }
    }

    /// Maximum number of samples in flight from now on.
    package mutating func setConcurrency(_ count: Int) { limit.setMost(count) }

    /// Notes how long the run has been at work, and stops it where that is too long.
    package mutating func tick(seconds: Double) {
        // Nobody is at work while it is paused.
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
