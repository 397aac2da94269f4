import EvalLogs
import Evals
import Glibc
import LanguageModels
import Synchronization
import System
import TestFixtures
import Testing
import Workspace

@Suite("Resumed runs")
struct EvalResumptionTests {
    @Test("a resumed run has the same figures bit by bit, wherever it was cut off", arguments: [1, 7, 29, 30, 58])
    func sameBytes(cut: Int) throws {
        let fixture = try RunFixture()
        let whole = try fixture.run(20, ScriptedSolver(), epochs: 3)
        let box = Mutex<EvalControls?>(nil)
        let first = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
            if before == cut { box.withLock { $0 }?.cancel() }
            return .plain(sample.id)
        }
        let runner = try EvalRunner(RunFixture.order(20, first, epochs: 3), workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        let part = try runner.run()
        // If the samples in flight were the last, nothing is left to cancel.
        #expect(part.state == (part.completed == 60 ? .done : .cancelled))
        let second = ScriptedSolver()
        let again = try fixture.resume(part, 20, second, epochs: 3)
        #expect(again.state == .done)
        #expect(again.key == part.key)
        #expect(again.exactMetrics == whole.exactMetrics)
        #expect(first.asked.count + second.asked.count == 60)
        #expect(Set(first.asked).union(second.asked).count == 60)
        #expect(try fixture.rows(again).count == 60)
    }

    @Test("a resumed run replaces the job that was cut off, even in a job of another kind")
    func replacesJob() throws {
        let fixture = try RunFixture()
        let box = Mutex<EvalControls?>(nil)
        let first = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
            if before == 3 { box.withLock { $0 }?.cancel() }
            return .plain(sample.id)
        }
        let runner = try EvalRunner(RunFixture.order(40, first), workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        let part = try runner.run()
        let old = try #require(try fixture.workspace.jobs.list().first).id
        let handle = try fixture.workspace.jobs.start("eval", title: "eval again")
        let again = try EvalRunner(
            resuming: #require(Int64(part.key)), RunFixture.order(40, ScriptedSolver()), workspace: fixture.workspace)
        #expect(try again.run(job: handle).state == .done)
        try handle.finish()
        #expect(try fixture.workspace.jobs.list().map(\.id) == [handle.id])
        #expect(handle.id != old)
    }

    @Test("after kill -9, no counted request is repeated", arguments: 1...6)
    func killed(number: Int) async throws {
        let folder = TemporaryFolder()
        let (path, asked) = (folder.file("k.orrery"), folder.file("asked"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, asked = asked as String, number = number as Int] in
            let workspace = try Workspace.open(path, migrations: Evals.migrations, create: true)
            let file = open(asked, O_CREAT | O_WRONLY | O_APPEND, 0o600)
            let solver = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
                let line = Array("\(sample.id)\n".utf8)
                _ = write(file, line, line.count)
                // A slow disk, so that there is something to lose and something to keep.
                while ((try? EvalStore(workspace).run(1)?.completed) ?? 0) < before - 24 { sched_yield() }
                if before == number * 27 { kill(getpid(), SIGKILL) }
                return .plain(sample.id)
            }
            _ = try EvalRunner(RunFixture.order(200, solver), workspace: workspace).run()
        }
        let workspace = try Workspace.open(path, migrations: Evals.migrations)
        let store = EvalStore(workspace)
        let found = try store.find("latest")
        #expect(found.state == .interrupted)
        let kept = try store.log(named: "latest").rows(0..<200) { false }
        #expect(kept.count == found.completed)
        #expect(kept.count >= number * 27 - 24)
        #expect(kept.count < 200)
        let before = (File.text(asked) ?? "").split(separator: "\n").map(String.init)
        #expect(Set(kept.map(\.id)).isSubset(of: before))
        let solver = ScriptedSolver()
        let run = try EvalRunner(resuming: 1, RunFixture.order(200, solver), workspace: workspace).run()
        #expect(run.state == .done)
        #expect(Set(solver.ids).isDisjoint(with: kept.map(\.id)))
        #expect(solver.asked.count == 200 - kept.count)
        let undisturbed = try EvalRunner(RunFixture.order(200, ScriptedSolver()), workspace: workspace).run()
        #expect(run.exactMetrics == undisturbed.exactMetrics)
        #expect(try workspace.check(Evals.checks).problems == [])
    }

    @Test("samples that ended in an error are retried on request")
    func errors() throws {
        let fixture = try RunFixture()
        let failing = ScriptedSolver { (sample, _, _) throws(LanguageModelError) in
            if sample.id == "s4" || sample.id == "s6" {
                throw LanguageModelError(.request, model: "scripted", problem: "the request is too long")
            }
            return .plain(sample.id)
        }
        let run = try fixture.run(10, failing)
        #expect(try fixture.rows(run).count { $0.outcome == .error } == 2)
        let nothing = ScriptedSolver()
        _ = try fixture.resume(run, 10, nothing)
        #expect(nothing.asked.isEmpty)
        let mended = ScriptedSolver()
        let whole = try fixture.resume(run, 10, mended, again: .errors)
        #expect(mended.ids.sorted() == ["s4", "s6"])
        #expect(whole.completed == 10)
        #expect(try fixture.rows(whole).count { $0.outcome == .error } == 0)
        #expect(try whole.exactMetrics == fixture.run(10, ScriptedSolver()).exactMetrics)
    }

    @Test("another task, another solver, and an unknown run are errors")
    func refusals() throws {
        let fixture = try RunFixture()
        let run = try fixture.run(10, ScriptedSolver()) { $0.budget.requests = 4 }
        let key = Int64(run.key)!
        #expect(throws: Problem.self) {
            try EvalRunner(resuming: key, RunFixture.order(11, ScriptedSolver()), workspace: fixture.workspace)
        }
        #expect {
            try EvalRunner(
                resuming: key, RunFixture.order(10, ScriptedSolver("other", identity: "other")),
                workspace: fixture.workspace)
        } throws: { "\($0)" == "Run 1 used scripted, not other. Start a new run." }
        #expect {
            try EvalRunner(resuming: 99, RunFixture.order(10, ScriptedSolver()), workspace: fixture.workspace)
        } throws: { "\($0)" == "Unknown run 99. List the runs with orrery eval list." }
    }

    @Test("only the named samples are sent, with their own indices")
    func only() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver()
        let run = try fixture.run(10, solver) { $0.only = ["s3", "s7"] }
        #expect(solver.ids.sorted() == ["s3", "s7"])
        #expect(run.total == 2)
        #expect(try fixture.rows(run).map(\.id) == ["s3", "s7"])
    }
}
