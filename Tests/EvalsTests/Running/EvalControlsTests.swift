import EvalLogs
import Evals
import Glibc
import LanguageModels
import Providers
import Synchronization
import System
import Testing
import Workspace

@Suite("Control of a run in progress")
struct EvalControlsTests {
    @Test("a run obeys commands in the workspace, as from another process")
    func commands() throws {
        let fixture = try RunFixture()
        let solver = ScriptedSolver { (sample, attempt, before) throws(LanguageModelError) in
            // The last request waits until the run is canceled.
            if before >= 6 { Clock.system.sleep(60, attempt.isCancelled) }
            return .plain(sample.id, cut: attempt.isCancelled())
        }
        let store = fixture.store
        let runner = try EvalRunner(
            RunFixture.order(30, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        var sent = false
        let run = try runner.run(progress: { progress in
            guard progress.completed == 6, !sent else { return }
            sent = true
            #expect(throws: Never.self) { try store.send(.concurrency(3), to: progress.run) }
            #expect(throws: Never.self) { try store.send(.cancel, to: progress.run) }
        })
        #expect(run.state == .cancelled)
        #expect(run.completed == 6)
        #expect(runner.controls.concurrency == 3)
        #expect(throws: Problem.self) { try store.send(.pause, to: Int64(run.key)!) }
    }

    @Test("a paused run starts nothing, reports the pause, and resumes")
    func pause() throws {
        let fixture = try RunFixture()
        let box = Mutex<EvalControls?>(nil)
        let solver = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
            if before == 4 { box.withLock { $0 }?.pause() }
            return .plain(sample.id)
        }
        let runner = try EvalRunner(
            RunFixture.order(12, solver) { $0.concurrency = 1 }, workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        var pauses: [EvalProgress.Wait] = []
        let run = try runner.run(progress: { progress in
            pauses += progress.waits.filter { $0.cause == .paused }
            if progress.completed == 5, runner.controls.isPaused {
                #expect(solver.asked.count == 5)
                runner.controls.resume()
            }
        })
        #expect(run.state == .done)
        #expect(run.completed == 12)
        #expect(pauses.first?.count == 7)
    }

    @Test("a run never exceeds its concurrency, even if it changes")
    func concurrency() throws {
        let fixture = try RunFixture()
        let atWork = Mutex<(now: Int, most: Int)>((0, 0))
        let box = Mutex<EvalControls?>(nil)
        let solver = ScriptedSolver { (sample, _, before) throws(LanguageModelError) in
            if before == 20 {
                atWork.withLock { $0.most = 0 }
                box.withLock { $0 }?.setConcurrency(2)
            }
            atWork.withLock { work in
                work.now += 1
                if before > 40 { work.most = max(work.most, work.now) }
            }
            for _ in 0..<100 { sched_yield() }
            atWork.withLock { $0.now -= 1 }
            return .plain(sample.id)
        }
        let runner = try EvalRunner(
            RunFixture.order(120, solver) { $0.concurrency = 16 }, workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        #expect(try runner.run().completed == 120)
        #expect((1...2).contains(atWork.withLock { $0.most }))
    }

    @Test("the job of a run shows its progress and ends with the run")
    func job() throws {
        let fixture = try RunFixture()
        let run = try fixture.run(9, ScriptedSolver())
        let job = try #require(try fixture.workspace.jobs.list().first)
        #expect(job.kind == "eval.run")
        #expect(job.state == .done)
        #expect(job.done == 9)
        #expect(job.total == 9)
        #expect(job.arguments == #"{"run":\#(run.key),"words":["eval","run","task.toml"]}"#)
    }
}
