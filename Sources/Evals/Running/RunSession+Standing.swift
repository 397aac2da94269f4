internal import EvalLogs
internal import GRDB
internal import LanguageModels
internal import Providers
internal import System
internal import Workspace

extension RunSession {
    /// Returns the progress of the run.
    func progress() -> EvalProgress {
        let moment = now()
        let disk =
            committer.held.map { count in
                [
                    EvalProgress.Wait(
                        cause: .queued, count: count, seconds: nil,
                        detail: "another process is using \(runner.workspace.path)")
                ]
            } ?? []
        return shared.withLock { state in
            state.schedule.tick(seconds: moment)
            let rate = state.meter.rate(at: moment)
            let spent = state.schedule.spent
            let left = runner.plan.total - state.meter.completed
            // Before the first report the cost is unknown, not zero.
            let cost: Double? = spent.usage.total > 0 ? spent.cost : nil
            var progress = EvalProgress(
                run: id, completed: state.meter.completed, total: runner.plan.total, failed: state.meter.failed,
                errors: state.meter.errors, cached: state.meter.cached, working: state.schedule.working,
                concurrency: state.schedule.limit.count, rate: rate, remaining: rate > 0 ? Double(left) / rate : nil,
                usage: spent.usage, cost: cost,
                latency: state.meter.latency,
                waits: disk + state.schedule.waits(at: moment), score: state.meter.score)
            progress.unscored = state.meter.unscored
            progress.oldest = state.schedule.oldest(at: moment)
            progress.isUsageUntold = spent.isUntold
            return progress
        }
    }

    /// Computes the figures of the stored samples, writes the end of the run, and returns its head.
    func close() throws -> EvalRun {
        let (stop, judged, spent, overrun) = shared.withLock { state in
            // A run that finished in time is not undone by the clock.
            let isWhole = state.meter.completed == runner.plan.total
            return (isWhole ? nil : state.schedule.stop, state.judged, state.schedule.spent, state.schedule.overrun)
        }
        let figures = RunFigures(runner, id: id, judged: judged, needsTexts: needsTexts)
        let metrics = try figures.metrics().packed
        let (state, problem): (EvalRun.State, String?) =
            switch stop {
            case nil: (.done, nil)
            case .cancelled: (.cancelled, nil)
            case .budget(let reason): (.cancelled, reason + (overrun.map { ": \($0)" } ?? ""))
            case .failed(let reason): (.failed, committer.lostWords.map { "\(reason) \($0)" } ?? reason)
            }
        // A run with nothing left to do keeps its original end.
        let ended = (wasWhole ? runner.resumed?.stored.run.end : nil) ?? runner.clock.wall()
        try keeping {
            try runner.workspace.write { db in
                let row = try Workspace.Statement(
                    db,
                    """
                    UPDATE eval_run SET state = ?, problem = ?, metrics = ?, ended = ?, seconds = ?, requests = ?
                    WHERE id = ?
                    """)
                row.bind(1, state.rawValue)
                row.bind(2, problem)
                metrics.withUnsafeBytes { row.bind(3, copying: $0) }
                row.bind(4, ended)
                row.bind(5, spent.seconds)
                row.bind(6, spent.requests)
                row.bind(7, id)
                try row.run()
                try db.execute(sql: "DELETE FROM eval_command WHERE run = ?", arguments: [id])
                try db.execute(sql: "DELETE FROM eval_progress WHERE run = ?", arguments: [id])
            }
        }
        guard let run = try EvalStore(runner.workspace).run(id) else { throw Problem.noRun(id) }
        return run
    }

    /// Writes as soon as no other process has locked the file; if that fails too, reports what is lost.
    private func keeping(_ write: () throws -> Void) throws {
        do { try Committer.patiently(write) } catch {
            guard let words = committer.lostWords else { throw error }
            throw Problem(.failed, "", "\(error)".replacing(Committer.consolation, with: "") + " \(words)")
        }
    }
}
