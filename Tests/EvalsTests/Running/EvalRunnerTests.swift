import EvalLogs
import Evals
import LanguageModels
import Providers
import Synchronization
import System
import Testing

@Suite("Runs")
struct EvalRunnerTests {
    @Test("a run sends every sample once, scores it, and stores all of it")
    func whole() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver()
        let run = try fixture.run(12, solver)
        #expect(run.state == .done)
        #expect(run.completed == 12)
        #expect(solver.ids.sorted() == (0..<12).map { "s\($0)" }.sorted())
        #expect(run.metrics.first.map { $0.value } == 8.0 / 12)
        let rows = try fixture.rows(run)
        #expect(rows.map(\.id) == (0..<12).map { "s\($0)" })
        #expect(rows.map(\.index) == Array(0..<12))
        #expect(rows[0].outcome == .failed)
        #expect(rows[1].outcome == .passed)
        #expect(rows[1].scores == [1])
        #expect(rows[1].cluster == "c0")
        #expect(rows[1].slices == ["odd"])
        #expect(rows[1].tokens == 15)
        // gpt-4o: 10 tokens at $2.5 per million, 5 at $10.
        #expect(rows[1].cost == 75e-6)
        let sample = try fixture.store.log(named: "latest").sample(1)
        #expect(sample.input == "question 1")
        #expect(sample.answer == "s1")
        #expect(sample.targets == ["s1"])
        #expect(sample.metadata == #"{"n":1}"#)
        #expect(sample.messages.map(\.role) == [.user, .assistant])
        #expect(sample.steps.map(\.name) == ["gpt-4o"])
        #expect(run.usage == Usage(input: 120, output: 60))
    }

    @Test("a run continues after temporary failures, and ends a sample with a permanent failure")
    func failures() throws {
        let fixture = try RunFixture()
        let clock = SimulatedClock()
        let tries = Mutex<[String: Int]>([:])
        let solver = ScriptedSolver { (sample, _, _) throws(LanguageModelError) in
            let count = tries.withLock { tries in
                tries[sample.id, default: 0] += 1
                return tries[sample.id]!
            }
            if sample.id == "s1", count <= 2 { throw .broken }
            if sample.id == "s2" { throw .broken }
            if sample.id == "s3" {
                throw LanguageModelError(.request, model: "scripted", problem: "the request is too long")
            }
            return .plain(sample.id)
        }
        let run = try fixture.run(8, solver, clock: clock.clock) { $0.retries = 3 }
        #expect(run.state == .done)
        #expect(run.completed == 8)
        let rows = try fixture.rows(run)
        #expect(rows[1].outcome == .passed)
        #expect(rows[2].outcome == .error)
        #expect(rows[2].problem == "scripted: the server failed (503).")
        #expect(rows[3].outcome == .error)
        #expect(tries.withLock { $0 } == ["s0": 1, "s1": 3, "s2": 4, "s3": 1, "s4": 1, "s5": 1, "s6": 1, "s7": 1])
        // Errors are not included in the figures.
        #expect(run.metrics[0].count == 6)
    }

    @Test("a run sends nothing before the time that a refusal names, and reports the wait")
    func retryAfter() throws {
        let fixture = try RunFixture()
        let clock = SimulatedClock()
        let times = Mutex<[Double]>([])
        let now = clock.clock.seconds
        let solver = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
            times.withLock { $0.append(now()) }
            if before == 2 { throw .refusal(retryAfter: 30) }
            return .plain(sample.id)
        }
        var waits: [EvalProgress.Wait] = []
        let order = RunFixture.order(20, solver) { $0.concurrency = 1 }
        let run = try EvalRunner(order, workspace: fixture.workspace, clock: clock.clock).run(progress: { progress in
            waits += progress.waits.filter { $0.cause == .rateLimit }
        })
        #expect(run.state == .done)
        let asked = times.withLock { $0 }
        #expect(asked.count == 21)
        #expect(asked[2] < 1)
        #expect(asked[3] >= asked[2] + 30)
        #expect(waits.first?.count == 18)
        #expect(waits.first?.detail == "too many requests (429), Retry-After 30 s")
        #expect((waits.first?.seconds).map { $0 > 29 && $0 <= 30 } == true)
    }

    @Test("a run ends at once if the key is refused, and can be resumed")
    func authorization() throws {
        let fixture = try RunFixture()
        let failing = ScriptedSolver { (_, _, _) throws(LanguageModelError) in
            throw LanguageModelError(.authorization, model: "scripted", problem: "the key is refused (401)")
        }
        let run = try fixture.run(50, failing)
        #expect(run.state == .failed)
        #expect(run.problem == "scripted: the key is refused (401).")
        #expect(run.completed == 0)
        #expect(failing.asked.count <= 4)
        #expect(try fixture.resume(run, 50, ScriptedSolver()).completed == 50)
    }

    @Test(
        "a run stops if the budget is exhausted, and resumes with a larger one",
        arguments: [
            (EvalBudget(requests: 10), "the budget of 10 requests is exhausted", 10...10),
            (EvalBudget(tokens: 150), "the budget of 150 tokens is exhausted", 10...13),
            (EvalBudget(cost: 75e-5), "the budget of $0.00075 is exhausted", 10...13),
        ])
    func budgets(budget: EvalBudget, sentence: String, completed: ClosedRange<Int>) throws {
        let fixture = try RunFixture()
        let first = ScriptedSolver()
        let run = try fixture.run(40, first) { $0.budget = budget }
        #expect(run.state == .cancelled)
        #expect(run.problem?.hasPrefix(sentence) == true)
        #expect(completed.contains(run.completed))
        #expect(first.asked.count == run.completed)
        let second = ScriptedSolver()
        let whole = try fixture.resume(run, 40, second)
        #expect(whole.state == .done)
        #expect(Set(first.ids).isDisjoint(with: second.ids))
        #expect(first.asked.count + second.asked.count == 40)
        #expect(whole.usage?.total == 600)
    }

    @Test("a run sends each sample once per epoch, each with a fixed seed of its own")
    func epochs() throws {
        let fixture = try RunFixture()
        let solvers = [ScriptedSolver(), ScriptedSolver()]
        for solver in solvers { _ = try fixture.run(5, solver, epochs: 3) { $0.seed = 7 } }
        #expect(Set(solvers[0].asked).count == 15)
        #expect(Set(solvers[0].asked.map(\.seed)).count == 15)
        #expect(Set(solvers[0].asked) == Set(solvers[1].asked))
        let run = try fixture.store.find("latest")
        #expect(run.metrics[0].count == 5)
        let rows = try fixture.rows(run)
        #expect(rows.map(\.epoch) == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(rows.map(\.index) == Array(0..<15))
    }

    @Test("a canceled run keeps finished samples, even inside a long pause")
    func cancel() throws {
        let fixture = try RunFixture()
        let box = Mutex<EvalControls?>(nil)
        let solver = ScriptedSolver { (sample, attempt, before) throws(LanguageModelError) in
            if before == 5 { throw .refusal(retryAfter: 600) }
            return .plain(sample.id)
        }
        let runner = try EvalRunner(
            RunFixture.order(30, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        let start = Clock.system.seconds()
        let run = try runner.run(progress: { progress in
            if progress.waits.contains(where: { $0.cause == .rateLimit }) { runner.controls.cancel() }
        })
        #expect(run.state == .cancelled)
        #expect(run.problem == nil)
        #expect(run.completed == 5)
        #expect(Clock.system.seconds() - start < 60)
        #expect(try fixture.rows(run).count == 5)
    }

    @Test("a run drops answers that a cancellation cut off")
    func cutAnswers() throws {
        let fixture = try RunFixture()
        let box = Mutex<EvalControls?>(nil)
        let solver = ScriptedSolver { (sample, attempt, before) throws(LanguageModelError) in
            guard before >= 3 else { return .plain(sample.id) }
            box.withLock { $0 }?.cancel()
            return .plain("half", cut: attempt.isCancelled())
        }
        let runner = try EvalRunner(
            RunFixture.order(30, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        let run = try runner.run()
        #expect(run.completed == 3)
        #expect(try fixture.rows(run).allSatisfy { $0.answer != "half" })
    }
}
