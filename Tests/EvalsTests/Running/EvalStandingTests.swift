import EvalLogs
import Evals
import LanguageModels
import Providers
import System
import Testing
import Workspace

@Suite("Reports of runs in the workspace")
struct EvalStandingTests {
    @Test("the workspace records whether a run covers only some samples of its task")
    func subset() throws {
        let fixture = try RunFixture()
        #expect(try !fixture.run(6, ScriptedSolver()).isSubset)
        #expect(try fixture.run(6, ScriptedSolver()) { $0.only = ["s1", "s4"] }.isSubset)
        #expect(try fixture.run(6, ScriptedSolver()) { $0.limit = 4 }.isSubset)
        // A limit above the number of samples excludes none.
        #expect(try !fixture.run(6, ScriptedSolver()) { $0.limit = 100 }.isSubset)
    }

    @Test("the progress of a run in progress is visible to every process, and gone afterwards")
    func progress() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver { (sample, attempt, _) throws(LanguageModelError) in
            Clock.system.sleep(0.15, attempt.isCancelled)
            return .plain(sample.id)
        }
        let runner = try EvalRunner(
            RunFixture.order(8, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        let store = fixture.store
        let before = fixture.workspace.lastWrite
        var told: [EvalProgress] = []
        let run = try runner.run(progress: { progress in
            if let found = try? store.progress(of: progress.run) { told.append(found) }
        })
        let last = try #require(told.last)
        #expect(last.total == 8 && last.concurrency == 1 && last.completed > 0)
        #expect(last.rate > 0 && last.latency?.p95 ?? 0 > 0 && last.score != nil && last.usage.total > 0)
        #expect(try store.progress(of: #require(Int64(run.key))) == nil)
        #expect(fixture.workspace.lastWrite != before)
        #expect(fixture.workspace.lastWrite == fixture.workspace.lastWrite)
    }

    @Test("requests cut off by a time limit count in the latency; other failures do not")
    func cutOff() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver { (sample, attempt, before) throws(LanguageModelError) in
            guard before % 2 == 0 else { return .plain(sample.id) }
            var error = LanguageModelError(.local, model: "scripted", problem: "the request was ended")
            error.isCutOff = before % 4 == 0
            attempt.left(Solution(seconds: 3))
            throw error
        }
        let runner = try EvalRunner(
            RunFixture.order(8, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        var last: EvalProgress?
        let run = try runner.run(progress: { last = $0 })
        #expect(run.errors == 4)
        let p95 = try #require(last?.latency?.p95)
        #expect(p95 > 2.9 && p95 < 3.1)
        #expect(try fixture.rows(run).map(\.seconds) == [3, 0.25, nil, 0.25, 3, 0.25, nil, 0.25])
    }
}
