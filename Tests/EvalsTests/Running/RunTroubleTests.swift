import EvalLogs
import Evals
import LanguageModels
import Providers
import System
import Testing

@Suite("Runs against a failing server")
struct RunTroubleTests {
    @Test("a run ends at once if no retry helps, and can be resumed")
    func forGood() throws {
        let fixture = try RunFixture()
        let poor = ScriptedSolver { (_, _, _) throws(LanguageModelError) in
            throw LanguageModelError(.rateLimit, model: "scripted", problem: "the quota is used up", maximumRetries: 0)
        }
        let run = try fixture.run(50, poor)
        #expect(run.state == .failed)
        #expect(run.problem == "scripted: the quota is used up.")
        #expect(run.completed == 0)
        #expect(poor.asked.count <= 4)
        #expect(try fixture.resume(run, 50, ScriptedSolver()).completed == 50)
    }

    @Test("a run ends with the error that refuses all first samples, and stores no errors")
    func refused() throws {
        let fixture = try RunFixture()
        let strange = ScriptedSolver { (_, _, _) throws(LanguageModelError) in
            throw LanguageModelError(.request, model: "scripted", problem: "not found (404)")
        }
        let run = try fixture.run(50, strange)
        #expect(run.state == .failed)
        #expect(run.problem == "scripted: not found (404).")
        #expect(run.completed == 0)
        #expect(strange.asked.count <= 8)
        #expect(try fixture.resume(run, 50, ScriptedSolver()).completed == 50)
    }

    @Test(
        "a run continues if refusals differ, if one sample was answered, and if it has only two samples",
        arguments: 0..<3)
    func someRefused(which: Int) throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver { (sample, _, _) throws(LanguageModelError) in
            if which == 1, sample.id == "s0" { return .plain("s0") }
            throw LanguageModelError(
                .request, model: "scripted", problem: which == 0 ? "\(sample.id) is too long" : "too long")
        }
        let count = which == 2 ? 2 : 12
        let run = try fixture.run(count, solver) { $0.concurrency = 1 }
        #expect(run.state == .done)
        #expect(run.completed == count)
        #expect(run.errors == (which == 1 ? count - 1 : count))
        #expect(solver.asked.count == count)
    }

    @Test("a run is cut off at its time limit; samples in flight are repeated on resumption")
    func timeIsOver() throws {
        let fixture = try RunFixture()
        let slow = ScriptedSolver { (sample, attempt, before) throws(LanguageModelError) in
            guard before >= 2 else { return .plain(sample.id) }
            let begin = Clock.system.seconds()
            while !attempt.isCancelled(), Clock.system.seconds() - begin < 30 {
                Clock.system.sleep(0.01, attempt.isCancelled)
            }
            throw LanguageModelError(.local, model: "scripted", problem: "the request was canceled")
        }
        let begin = Clock.system.seconds()
        let run = try fixture.run(6, slow) { $0.budget.seconds = 0.5 }
        #expect(Clock.system.seconds() - begin < 15)
        #expect(run.state == .cancelled)
        #expect(run.problem?.hasPrefix("the budget of 0.5 seconds is exhausted") == true)
        #expect(run.completed == 2)
        #expect(run.errors == 0)
        let rest = ScriptedSolver()
        #expect(try fixture.resume(run, 6, rest) { $0.budget.seconds = 600 }.state == .done)
        #expect(rest.asked.count == 4)
    }

    @Test("a run is done if its budget was just enough")
    func justEnough() throws {
        let run = try RunFixture().run(6, ScriptedSolver()) { $0.budget.requests = 6 }
        #expect(run.state == .done)
        #expect(run.problem == nil)
    }
}

@Suite("Schedule of samples while the server fails")
struct ScheduleTroubleTests {
    private func schedule(_ count: Int, concurrency: Int = 16, budget: EvalBudget = EvalBudget()) -> RunSchedule {
        RunSchedule(
            places: Array(0..<count), options: EvalOptions(concurrency: concurrency, retries: 8, budget: budget))
    }

    @Test(
        "a server that never answers is tried by one sample at a time, and given up soon",
        arguments: [
            (true, 200, "no reply for 30 seconds: no"),
            (false, 200, "no reply for 2 minutes: no"),
            (false, 1, "no reply for 2 minutes: no"),
        ])
    func never(isUnreachable: Bool, count: Int, reason: String) {
        var schedule = schedule(count)
        var (now, requests) = (0.0, 0)
        while schedule.stop == nil, requests < 1000 {
            var works: [RunSchedule.Work] = []
            while case .work(let work) = schedule.next(at: now) { works.append(work) }
            requests += works.count
            for work in works {
                let isAsked = schedule.failed(
                    work, cause: .retry, asked: nil, detail: "no", lot: 0.5, at: now, isUnreachable: isUnreachable)
                #expect(isAsked)
            }
            now = schedule.due(after: now) ?? now + 1
            schedule.tick(seconds: now)
        }
        #expect(schedule.stop == .failed(reason))
        #expect(schedule.isCut)
        #expect(requests <= 16 + 20)
    }

    @Test("a request that takes minutes to fail is sent at most three times")
    func slow() {
        var schedule = schedule(1)
        var (now, requests) = (0.0, 0)
        while case .work(let work) = schedule.next(at: now), requests < 100 {
            requests += 1
            let isAsked = schedule.failed(
                work, cause: .retry, asked: nil, detail: "slow", lot: 0.5, at: now + 600, maximumRetries: 2)
            if !isAsked { schedule.ended(EvalSpending(requests: 1), succeeded: false, place: work.place) }
            now = schedule.due(after: now + 600) ?? now + 600
        }
        #expect(requests == 3)
        #expect(schedule.isOver)
    }

    @Test("a budget exhausted before the run is reported as such, without overrun")
    func already() {
        var schedule = RunSchedule(
            places: [0], options: EvalOptions(budget: EvalBudget(requests: 50)), spent: EvalSpending(requests: 70))
        #expect(schedule.next(at: 0) == .end)
        #expect(schedule.stop == .budget("the budget of 50 requests is exhausted: earlier runs used 70"))
        #expect(schedule.overrun == nil)
    }

    @Test("after an answer, no wait is reported as a missing connection")
    func back() {
        var schedule = schedule(4, concurrency: 2)
        guard case .work(let first) = schedule.next(at: 0), case .work = schedule.next(at: 0) else {
            Issue.record("two of four samples were not handed out")
            return
        }
        _ = schedule.failed(
            first, cause: .retry, asked: nil, detail: "no connection", lot: 0.9, at: 1, isUnreachable: true)
        #expect(schedule.waits(at: 1).contains { $0.detail == "no connection" })
        #expect(schedule.oldest(at: 46) == 46)
        schedule.ended(EvalSpending(requests: 1), succeeded: true, place: 1)
        #expect(schedule.waits(at: 1).contains { $0.cause == .retry })
        #expect(!schedule.waits(at: 1).contains { $0.detail == "no connection" })
        #expect(schedule.oldest(at: 46) == nil)
    }
}
