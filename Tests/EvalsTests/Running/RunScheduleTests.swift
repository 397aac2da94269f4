import Evals
import LanguageModels
import Testing

@Suite("Schedule of samples")
struct RunScheduleTests {
    private func schedule(
        _ count: Int, concurrency: Int = 4, isAdaptive: Bool = true, retries: Int = 3,
        budget: EvalBudget = EvalBudget()
    ) -> RunSchedule {
        RunSchedule(
            places: Array(0..<count),
            options: EvalOptions(concurrency: concurrency, isAdaptive: isAdaptive, retries: retries, budget: budget))
    }

    private func work(_ schedule: inout RunSchedule, at now: Double = 0) throws -> RunSchedule.Work {
        guard case .work(let work) = schedule.next(at: now) else { throw Nothing() }
        return work
    }

    private struct Nothing: Error {}

    @Test("samples follow the task, within the limit, until the last one has ended")
    func plain() throws {
        var schedule = schedule(3, concurrency: 2)
        #expect(try work(&schedule).place == 0)
        #expect(try work(&schedule).place == 1)
        #expect(schedule.next(at: 0) == .wait)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        #expect(try work(&schedule).place == 2)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        #expect(schedule.next(at: 0) == .wait)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        #expect(schedule.next(at: 0) == .end)
        #expect(schedule.isOver)
    }

    @Test("all samples pause if the server asks for it")
    func rest() throws {
        var schedule = schedule(10)
        let refused = try work(&schedule, at: 5)
        _ = try work(&schedule, at: 5)
        let isAsked = schedule.failed(refused, cause: .rateLimit, asked: 7, detail: "429", lot: 0.5, at: 6)
        #expect(isAsked)
        #expect(schedule.next(at: 12.9) == .wait)
        #expect(schedule.due(after: 6) == 13)
        let waits = schedule.waits(at: 6)
        #expect(waits.count == 1)
        #expect(waits.first?.cause == .rateLimit)
        #expect(waits.first?.seconds == 7)
        #expect(waits.first?.count == 9)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        // The refused sample waits a random part of half a second more; others continue at once.
        #expect(try work(&schedule, at: 13).place == 2)
        #expect(try work(&schedule, at: 13.3).place == 0)
    }

    @Test("a failed sample is retried after a random pause, a limited number of times")
    func retries() throws {
        var schedule = schedule(1, retries: 2)
        var now = 0.0
        for retry in 0..<2 {
            let work = try work(&schedule, at: now)
            #expect(work.retries == retry)
            let isAsked = schedule.failed(work, cause: .retry, asked: nil, detail: "503", lot: 0.5, at: now)
            #expect(isAsked)
            #expect(schedule.next(at: now) == .wait)
            // Uniform in [0, 0.5) and [0, 1): the lot is in the middle.
            #expect(schedule.due(after: now) == now + (retry == 0 ? 0.25 : 0.5))
            #expect(schedule.waits(at: now).map(\.cause) == [.retry])
            now = schedule.due(after: now) ?? now
        }
        let last = try work(&schedule, at: now)
        #expect(last.retries == 2)
        let isAsked = schedule.failed(last, cause: .retry, asked: nil, detail: "503", lot: 0.5, at: now)
        #expect(!isAsked)
        schedule.ended(EvalSpending(requests: 1), succeeded: false)
        #expect(schedule.next(at: now) == .end)
        #expect(schedule.spent.requests == 3)
    }

    @Test("simultaneous refusals halve the limit once, and each round of answers adds one")
    func adaptive() throws {
        var limit = AdaptiveLimit(most: 64, isAdaptive: true)
        for _ in 0..<20 { limit.failed(start: 0, now: 1) }
        #expect(limit.count == 32)
        limit.failed(start: 2, now: 3)
        #expect(limit.count == 16)
        for _ in 0..<17 { limit.succeeded() }
        #expect(limit.count == 17)
        for _ in 0..<4000 { limit.succeeded() }
        #expect(limit.count == 64)
        for round in 0..<50 { limit.failed(start: Double(10 + round), now: Double(10 + round)) }
        #expect(limit.count == 1)
        limit.setMost(8)
        #expect(limit.count == 8)
        var fixed = AdaptiveLimit(most: 64, isAdaptive: false)
        fixed.failed(start: 0, now: 1)
        #expect(fixed.count == 64)
    }

    @Test("the schedule never exceeds the budget, whatever is in flight")
    func budget() throws {
        var schedule = schedule(100, concurrency: 8, budget: EvalBudget(requests: 5))
        for place in 0..<5 { #expect(try work(&schedule).place == place) }
        #expect(schedule.next(at: 0) == .wait)
        for _ in 0..<5 { schedule.ended(EvalSpending(requests: 1), succeeded: true) }
        #expect(schedule.next(at: 0) == .end)
        #expect(schedule.stop == .budget("the budget of 5 requests is exhausted"))
    }

    @Test("a budget in dollars stops at a model without a price")
    func noPrice() throws {
        var schedule = schedule(10, budget: EvalBudget(cost: 1))
        _ = try work(&schedule)
        schedule.ended(EvalSpending(requests: 1, cost: nil), succeeded: true)
        #expect(schedule.next(at: 0) == .end)
        #expect(
            schedule.stop
                == .budget("the model has no price in the table, so a budget in dollars cannot be enforced"))
    }

    @Test("the schedule stops after the time limit")
    func seconds() {
        var schedule = schedule(10, budget: EvalBudget(seconds: 60))
        schedule.tick(seconds: 59.9)
        #expect(schedule.stop == nil)
        schedule.tick(seconds: 60)
        #expect(schedule.next(at: 60) == .end)
    }

    @Test("latencies are precise to a hundredth, whatever the times are", arguments: [1e-5, 0.003, 0.4, 90])
    func latency(scale: Double) throws {
        var histogram = LatencyHistogram()
        #expect(histogram.latency == nil)
        for number in 1...1000 { histogram.add(scale * Double(number) / 1000) }
        histogram.add(.nan)
        histogram.add(-1)
        let latency = try #require(histogram.latency)
        for (found, exact) in [(latency.median, 0.5), (latency.p95, 0.95), (latency.p99, 0.99)] {
            #expect(abs(found / (exact * scale) - 1) < 0.011)
        }
    }

    @Test("while the server does not answer, one sample tries, and none uses up its retries")
    func outage() throws {
        var schedule = schedule(1000, concurrency: 16, retries: 2)
        _ = try work(&schedule)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        let together = try (0..<16).map { _ in try work(&schedule, at: 1) }
        for work in together {
            let isAsked = schedule.failed(
                work, cause: .retry, asked: nil, detail: "the connection was refused", lot: 0.5, at: 2,
                isUnreachable: true)
            #expect(isAsked)
        }
        #expect(schedule.next(at: 2) == .wait)
        let wait = try #require(schedule.waits(at: 2).first)
        #expect(wait.count == 999)
        #expect(wait.detail.contains("the server is not responding"))
        // A minute without an answer.
        var (now, tries) = (2.0, 0)
        while let due = schedule.due(after: now), due < 62 {
            now = due
            let probe = try work(&schedule, at: now)
            #expect(probe.place <= 16)
            #expect(schedule.next(at: now) == .wait)
            let isAsked = schedule.failed(
                probe, cause: .retry, asked: nil, detail: "the connection was refused", lot: 0.5, at: now,
                isUnreachable: true)
            #expect(isAsked)
            tries += 1
        }
        #expect((4...10).contains(tries))
        // The server answers: all samples continue.
        now = try #require(schedule.due(after: now))
        _ = try work(&schedule, at: now)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        #expect(schedule.hasRoom(at: now))
        #expect(schedule.waits(at: now).allSatisfy { !$0.detail.contains("the server is not responding") })
    }

    @Test("a quarter of an hour without an answer ends the run, which can be resumed")
    func longOutage() throws {
        var schedule = schedule(100, concurrency: 8)
        _ = try work(&schedule)
        schedule.ended(EvalSpending(requests: 1), succeeded: true)
        for work in try (0..<8).map({ _ in try work(&schedule) }) {
            _ = schedule.failed(
                work, cause: .retry, asked: nil, detail: "503", lot: 0.5, at: 1, isUnreachable: false)
        }
        schedule.tick(seconds: 900)
        #expect(schedule.stop == nil)
        schedule.tick(seconds: 901)
        #expect(schedule.stop == .failed("no reply for 15 minutes: 503"))
    }

    @Test("retries run in the order of their due times")
    func dueFirst() throws {
        var schedule = schedule(64, concurrency: 64)
        let works = try (0..<64).map { _ in try work(&schedule) }
        for (place, work) in works.enumerated() {
            _ = schedule.failed(
                work, cause: .rateLimit, asked: nil, detail: "429", lot: Double(place * 37 % 64) / 64, at: 0)
        }
        schedule.setConcurrency(64)
        let found = try (0..<64).map { _ in try work(&schedule, at: 1).place }
        #expect(found == (0..<64).sorted { $0 * 37 % 64 < $1 * 37 % 64 })
    }

    @Test("a paused schedule hands out nothing")
    func paused() throws {
        var schedule = schedule(10)
        schedule.isPaused = true
        #expect(schedule.next(at: 0) == .wait)
        #expect(schedule.due(after: 0) == nil)
        #expect(schedule.waits(at: 0).map(\.cause) == [.paused])
        schedule.isPaused = false
        #expect(try work(&schedule).place == 0)
    }
}
