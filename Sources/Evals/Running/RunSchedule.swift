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
    private let places: [Int]
    private var position = 0
    private var retries = RetryHeap()
    private var outage = Outage()
    /// Samples that were handed out and not taken back.
    package private(set) var working = 0
    /// How many may be.
    package private(set) var limit: AdaptiveLimit
    /// Nothing is asked before this moment: the other side wants to be left alone.
    package private(set) var restUntil = -Double.infinity
    private var restCause = EvalProgress.Wait.Cause.rateLimit
    private var restDetail = ""
    /// Nothing is handed out while it is set.
    package var isPaused = false
    /// Why nothing more is handed out; nil while it goes on.
    package private(set) var stop: Stop?
    /// What the run has taken, before it went on included.
    package private(set) var spent: EvalSpending
    private let budget: EvalBudget
    private let policy: RetryPolicy
    /// The most that one sample took, for guesses at those at work; nil before the first answer.
    private var most: EvalSpending?
    private let spentBefore: EvalSpending
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
        if stop == nil, let reason = spentBudget { stop = .budget(reason) }
        if stop != nil { return .end }
        if position == places.count, retries.isEmpty { return working == 0 ? .end : .wait }
        guard hasRoom(at: now) else { return .wait }
        let isHeld = outage.hold != nil
        outage.tries(at: now)
        if let first = retries.first, isHeld || first.due <= now, var work = retries.removeFirst()?.work {
            work.start = now
            working += 1
            return .work(work)
        }
        defer { position += 1 }
        working += 1
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
    package mutating func ended(_ took: EvalSpending, succeeded: Bool) {
        working -= 1
        spend(took)
        if succeeded || took.usage.total > 0 { note(took) }
        guard succeeded else { return }
        limit.succeeded()
        outage.ended(wasAnswered: true)
    }

    /// Notes that somebody is there, though he refuses.
    package mutating func heard() { outage.ended(wasAnswered: false) }

    /// Takes back a sample that nobody will hear of, because the run was stopped.
    package mutating func dropped() { working -= 1 }

    /// Takes back a sample that failed in a way that may pass.
    ///
    /// - Parameters:
    ///   - asked: seconds that the other side wants to be left alone, by all of us.
    ///   - took: what it cost until it failed.
    ///   - lot: in [0, 1), for the pause where it names none.
    /// - Returns: false where it was asked often enough: it is still at work then.
    package mutating func failed(
        _ work: Work, cause: EvalProgress.Wait.Cause, asked: Double?, detail: String, lot: Double, at now: Double,
        isUnreachable: Bool = false, took: EvalSpending = EvalSpending(requests: 1, cost: 0)
    ) -> Bool {
        limit.failed(start: work.start, now: now)
        if cause == .rateLimit {
            heard()
        } else {
            outage.failed(work, isUnreachable: isUnreachable, detail: detail, at: now)
        }
        if let asked, asked > Self.longestPause {
            stop(.failed("the other side asks for a pause of \(Self.words(seconds: asked)): \(detail)"))
            working -= 1
            spend(took)
            return true
        }
        let isFree = outage.isEarlier(work)
        let granted = policy.pause(before: work.retries + (isFree ? 0 : 1), asked: asked, lot: lot)
        guard let pause = granted ?? (isFree ? 1 : nil) else { return false }
        if let asked, asked > 0, now + asked > restUntil {
            restUntil = now + asked
            restCause = cause
            restDetail = detail
        }
        var work = work
        if !isFree { work.retries += 1 }
        working -= 1
        spend(took)
        retries.insert(RetryHeap.Retry(work: work, due: now + pause, cause: cause, detail: detail))
        return true
    }

    /// Hands out nothing more; the first reason counts.
    package mutating func stop(_ reason: Stop) { if stop == nil { stop = reason } }

    /// The most samples at work from now on.
    package mutating func setConcurrency(_ count: Int) { limit.setMost(count) }

    /// Notes how long the run has been at work, and stops it where that is too long.
    package mutating func tick(seconds: Double) {
        // Nobody is at work while it is paused.
        if isPaused, working == 0 { rested += max(0, seconds - lastTick) }
        lastTick = max(lastTick, seconds)
        spent.seconds = spentBefore.seconds + max(0, seconds - rested)
        if let most = budget.seconds, spent.seconds >= most {
            stop(.budget("the budget of \(most) seconds is spent"))
        }
        if let reason = outage.reason(at: seconds) { stop(.failed(reason)) }
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

extension RunSchedule {
    /// Why a budget of tokens or dollars is of no use.
    private static let untold = "an answer came without the number of its tokens, so that a budget in "

    /// Which budget is spent, in words; nil where none is.
    private var spentBudget: String? {
        if let most = budget.requests, spent.requests >= most { return "the budget of \(most) requests is spent" }
        if let most = budget.tokens, spent.usage.total >= most { return "the budget of \(most) tokens is spent" }
        if let most = budget.cost, let cost = spent.cost, cost >= most { return "the budget of $\(most) is spent" }
        if budget.tokens != nil, spent.isUntold { return Self.untold + "tokens cannot be kept" }
        if budget.cost != nil, spent.isUntold { return Self.untold + "dollars cannot be kept" }
        if budget.cost != nil, spent.cost == nil {
            return "the model has no price in the table, so that a budget in dollars cannot be kept"
        }
        return nil
    }

    /// Whether the budget has room for one more beside those at work, each taken for the most that one took so far.
    ///
    /// Before the first answer one counts as one request, and where tokens or dollars are counted, it goes alone: what
    /// it takes is not known.
    private var hasBudget: Bool {
        guard working > 0 else { return true }
        if most == nil, budget.tokens != nil || budget.cost != nil { return false }
        func room(_ limit: Double?, _ now: Double, _ each: Double) -> Bool {
            limit.map { now + Double(working) * each < $0 } ?? true
        }
        return room(budget.requests.map(Double.init), Double(spent.requests), Double(max(1, most?.requests ?? 1)))
            && room(budget.tokens.map(Double.init), Double(spent.usage.total), Double(most?.usage.total ?? 0))
            && room(budget.cost, spent.cost ?? 0, most?.cost ?? 0)
    }

    /// How far the run went over its budget, in words: what was at work ended. nil where it did not.
    package var overrun: String? {
        func over(_ spent: Double, _ limit: Double, _ text: String) -> String? {
            guard spent > limit * 1.000001, limit > 0 else { return nil }
            return "\(text), \(Int(min((spent / limit - 1) * 100, 1e9).rounded(.up))) % more"
        }
        if let limit = budget.requests, let text = over(Double(spent.requests), Double(limit), "\(spent.requests)") {
            return text
        }
        if let limit = budget.tokens, let text = over(Double(spent.usage.total), Double(limit), "\(spent.usage.total)")
        {
            return text
        }
        if let limit = budget.cost, let cost = spent.cost {
            let digits = Double(Int(min(cost, 1e9) * 10_000)) / 10_000
            return over(cost, limit, "$\(digits)")
        }
        return nil
    }

    /// `2 h`, `90 min`; whatever the number is.
    private static func words(seconds: Double) -> String {
        guard seconds < 1e9 else { return "more than 30 years" }
        let minutes = Int((seconds / 60).rounded(.up))
        if minutes < 120 { return "\(minutes) min" }
        let hours = Int((seconds / 3600).rounded(.up))
        return hours < 72 ? "\(hours) h" : "\((hours + 23) / 24) days"
    }

    /// What samples wait for, the most common first.
    package func waits(at now: Double) -> [EvalProgress.Wait] {
        var waits: [EvalProgress.Wait] = []
        if isPaused {
            waits.append(.init(cause: .paused, count: waiting, seconds: nil, detail: "paused"))
        } else if restUntil > now {
            waits.append(
                .init(cause: restCause, count: waiting, seconds: restUntil - now, detail: restDetail))
        } else if let hold = outage.hold {
            waits.append(
                .init(
                    cause: .retry, count: waiting, seconds: max(0, hold.until - now),
                    detail: "nobody answers, one sample tries: \(outage.detail)"))
        } else if position < places.count, working >= limit.count {
            let detail =
                limit.count < limit.most
                ? "\(limit.count) of \(limit.most) at work: the other side was too busy for more"
                : "\(limit.count) at work"
            waits.append(.init(cause: .queued, count: places.count - position, seconds: nil, detail: detail))
        }
        if !isPaused, restUntil <= now, outage.hold == nil {
            for cause in [EvalProgress.Wait.Cause.rateLimit, .retry] {
                let these = retries.all.filter { $0.cause == cause && $0.due > now }
                guard let first = these.min(by: { $0.due < $1.due }) else { continue }
                waits.append(
                    .init(cause: cause, count: these.count, seconds: first.due - now, detail: first.detail))
            }
        }
        return waits.sorted { $0.count > $1.count }
    }
}
