import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import Statistics
import Synchronization
import System
import TestFixtures
import Testing

/// A judge with scripted answers.
private final class ScriptedJudge: LanguageModel {
    typealias Answer = @Sendable (Int, ModelRequest) throws(LanguageModelError) -> String

    let name = "judge"
    let provider = "scripted"
    let capabilities = ModelCapabilities()
    private let answer: Answer
    private let count = Mutex(0)

    init(_ answer: @escaping Answer) { self.answer = answer }

    var calls: Int { count.withLock { $0 } }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let before = count.withLock { count in
            count += 1
            return count - 1
        }
        let text = try answer(before, request)
        return ModelResponse(
            message: Message(.assistant, [.text(text)]), finish: .stop, usage: Usage(input: 10, output: 5),
            model: "gpt-4o", secondsToFirstToken: nil, seconds: 0.1)
    }

    static let five: Answer = { (_, _) throws(LanguageModelError) in "Good.\nScore: 5" }
}

@Suite("Failures of judges")
struct EvalFaultsTests {
    private func order(
        _ count: Int, _ solver: any Solver, judge: any LanguageModel,
        _ change: (inout EvalOptions) -> Void = { _ in }
    ) -> EvalOrder {
        var order = RunFixture.order(count, solver) { options in
            options.concurrency = 1
            change(&options)
        }
        order.task.scorers = [
            ScorerChoice("rubric", settings: ScorerSettings([.init(key: "rubric", value: .string("It is right."))]))
        ]
        order.room = ScoringRoom(judge: judge)
        return order
    }

    @Test("canceling while the judge works stores no sample without a score; its answer is judged later")
    func cancelled() throws {
        let fixture = try RunFixture()
        let controls = Mutex<EvalControls?>(nil)
        let cut = ScriptedJudge { (before, _) throws(LanguageModelError) in
            guard before == 2 else { return "Good.\nScore: 5" }
            controls.withLock { $0?.cancel() }
            throw LanguageModelError(.local, model: "judge", problem: "the request was canceled")
        }
        let runner = try EvalRunner(order(5, ScriptedSolver(), judge: cut), workspace: fixture.workspace)
        controls.withLock { $0 = runner.controls }
        let first = try runner.run()
        #expect(first.state == .cancelled)
        #expect(try fixture.rows(first).map(\.outcome) == [.passed, .passed])
        let solver = ScriptedSolver()
        let again = try EvalRunner(
            resuming: Int64(first.key)!, order(5, solver, judge: ScriptedJudge(ScriptedJudge.five)),
            workspace: fixture.workspace)
        let second = try again.run()
        #expect(second.state == .done)
        #expect(solver.ids == ["s3", "s4"])
        #expect(try fixture.rows(second).allSatisfy { $0.outcome == .passed })
    }

    @Test("a judge that refuses is retried after a visible wait, and the answer is not requested again")
    func judgeRefuses() throws {
        let fixture = try RunFixture()
        let judge = ScriptedJudge { (before, _) throws(LanguageModelError) in
            if before == 1 { throw LanguageModelError.refusal(retryAfter: 1) }
            return "Good.\nScore: 5"
        }
        let solver = ScriptedSolver()
        let seen = Mutex<[EvalProgress.Wait]>([])
        let runner = try EvalRunner(order(3, solver, judge: judge), workspace: fixture.workspace)
        let run = try runner.run(progress: { progress in seen.withLock { $0 += progress.waits } })
        #expect(run.state == .done)
        #expect(solver.ids == ["s0", "s1", "s2"])
        #expect(judge.calls == 4)
        #expect(try fixture.rows(run).allSatisfy { $0.outcome == .passed })
        #expect(seen.withLock { $0 }.contains { $0.cause == .rateLimit && $0.detail.contains("429") })
    }

    @Test("unjudged answers are judged again with the errors, without new requests")
    func judgedAgain() throws {
        let fixture = try RunFixture()
        let judge = ScriptedJudge { (_, _) throws(LanguageModelError) in "no verdict" }
        let first = try EvalRunner(order(3, ScriptedSolver(), judge: judge), workspace: fixture.workspace).run()
        #expect(try fixture.rows(first).allSatisfy { $0.outcome == .unscored })
        let solver = ScriptedSolver()
        let again = try EvalRunner(
            resuming: Int64(first.key)!, order(3, solver, judge: ScriptedJudge(ScriptedJudge.five)), again: .errors,
            workspace: fixture.workspace)
        let second = try again.run()
        #expect(solver.asked.isEmpty)
        #expect(second.completed == 3)
        #expect(try fixture.rows(second).allSatisfy { $0.outcome == .passed })
    }

    @Test("a key that the judge refuses ends the run with the judge's error")
    func judgeForbids() throws {
        let fixture = try RunFixture()
        let judge = ScriptedJudge { (_, _) throws(LanguageModelError) in
            throw LanguageModelError(.authorization, model: "judge", problem: "the key is refused (401)")
        }
        let run = try EvalRunner(order(3, ScriptedSolver(), judge: judge), workspace: fixture.workspace).run()
        #expect(run.state == .failed)
        #expect(run.problem?.contains("401") == true)
        #expect(run.completed == 0)
    }
}

@Suite("Reports of errors and costs")
struct EvalHonestyTests {
    @Test("every figure reports errors, and work before an error is stored and paid for")
    func errors() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver { (sample, attempt, _) throws(LanguageModelError) in
            guard sample.id == "s1" else { return .plain(sample.id) }
            attempt.left(.plain("the first turn"))
            throw LanguageModelError(.request, model: "scripted", problem: "the text is too long")
        }
        let run = try fixture.run(4, solver)
        #expect(run.errors == 1)
        #expect(run.metrics.allSatisfy { $0.note?.contains("1 of 4 attempts ended in an error") == true })
        #expect(!run.metrics.isEmpty)
        let row = try #require(try fixture.rows(run).first { $0.id == "s1" })
        #expect(row.outcome == .error)
        #expect(row.seconds == nil)
        #expect(row.tokens == 15)
        #expect(try fixture.store.log(Int64(run.key)!).sample(row.index).steps.count == 1)
        #expect(run.usage?.total == 60)
    }

    @Test("a cached answer shows its original cost, although the run paid nothing")
    func cached() throws {
        let fixture = try RunFixture()
        let first = try fixture.run(2, ScriptedSolver()) { $0.usesCache = true }
        let second = try fixture.run(2, ScriptedSolver()) { $0.usesCache = true }
        let costs = try fixture.rows(first).map(\.cost)
        #expect(costs.allSatisfy { ($0 ?? 0) > 0 })
        #expect(try fixture.rows(second).map(\.cost) == costs)
        #expect(second.cost == 0)
    }

    @Test("a changed sample, version, metric, or reducer changes the task", arguments: 0..<4)
    func digest(change: Int) throws {
        let fixture = try RunFixture()
        let first = try fixture.run(3, ScriptedSolver()) { $0.budget.requests = 1 }
        var order = RunFixture.order(3, ScriptedSolver())
        switch change {
        case 0: order.task.samples[1].fields = .object([.init(key: "n", value: .integer(7))])
        case 1: order.task.version = "2"
        case 2: order.task.metrics = [MetricChoice("accuracy")]
        default: order.task.reducer = .max
        }
        #expect(throws: Problem.self) {
            try EvalRunner(resuming: Int64(first.key)!, order, workspace: fixture.workspace)
        }
    }

    @Test("a repeated sample has a new trace")
    func trace() throws {
        let fixture = try RunFixture()
        let failing = ScriptedSolver { (_, attempt, _) throws(LanguageModelError) in
            attempt.left(.plain("half"))
            throw LanguageModelError(.request, model: "scripted", problem: "no")
        }
        let run = try fixture.run(1, failing)
        let before = try fixture.store.log(Int64(run.key)!).traceID(of: 0)
        _ = try fixture.resume(run, 1, ScriptedSolver(), again: .errors)
        #expect(try fixture.store.log(Int64(run.key)!).traceID(of: 0) != before)
    }

    @Test("the group of a matrix is one of the run's settings")
    func group() throws {
        let run = try RunFixture().run(1, ScriptedSolver()) { $0.group = "six runs" }
        #expect(run.settings.contains(EvalSetting("group", "six runs")))
    }

    @Test("a program that keeps ending stops the run; the remaining samples do not become errors")
    func brokenProgram() throws {
        let fixture = try RunFixture()
        let solver = ProgramSolver(["/bin/false"], instances: 2)
        let run = try fixture.run(200, solver) { $0.concurrency = 2 }
        #expect(run.state == .failed)
        #expect(run.problem?.contains("will not be restarted") == true)
        #expect(run.completed < 20)
    }

    @Test("an edited program has a new identity")
    func programIdentity() throws {
        let fixture = try RunFixture()
        let path = fixture.folder.file("agent.py")
        func write(_ text: String) {
            let file = fopen(path, "w")
            fputs(text, file)
            fclose(file)
        }
        write("print(1)")
        let first = ProgramSolver(["python3", path]).identity
        #expect(ProgramSolver(["python3", path]).identity == first)
        write("print(2)")
        #expect(ProgramSolver(["python3", path]).identity != first)
    }

    @Test("the labels of all epochs count, and accuracy is the share of passing epochs")
    func epochs() {
        let kind = EvalScoreKind("label")
        func score(_ value: Double, _ label: String) -> EvalScore { EvalScore("label", value: value, label: label) }
        let sample = MetricSample(
            id: "a", epochs: [score(0, "no"), score(1, "yes"), score(1, "yes"), score(0, "perhaps")], reducer: .mean,
            score: kind)
        #expect(sample.answered == "yes")
        #expect(sample.passed == 0.5)
        let strict = MetricSample(
            id: "a", epochs: [score(0, "no"), score(1, "yes")], reducer: .atLeast(2), score: kind)
        #expect(strict.passed == 0)
    }
}
