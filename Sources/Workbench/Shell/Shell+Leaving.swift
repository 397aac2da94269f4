internal import Console
internal import Workspace

extension Shell {
    /// Leaves the workbench, after a question if jobs are running.
    func quit() {
        guard !jobs.isEmpty else { return requests.append(.quit(status: 0)) }
        guard jobs.contains(where: { $0.job.map(TrainingDeparture.canGoOn) ?? false }) else { return askToLeave([]) }
        let (engine, departure) = (engine, TrainingDeparture(workspace, now: clock))
        engine.run(isJob: false) {
            do { engine.post(.underWay(try departure.underWay())) } catch {
                engine.post(.readyToLeave(problem: sentence(of: error)))
            }
        }
    }

    /// Asks whether to stop running jobs.
    ///
    /// - Parameter runs: training runs of this process; the question offers to continue those that can run in the
    ///   background.
    func askToLeave(_ runs: [TrainingDeparture.Run]) {
        guard let job = jobs.last else { return requests.append(.quit(status: 0)) }
        let others = jobs.count > 1 ? " and \(jobs.count - 1) more" : ""
        let done = job.job?.fraction.map { " at \(Format.progress($0))" } ?? ""
        var lines = ["\(job.title)\(others) is still running\(done)."]
        lines += runs.map { "\($0.name): \($0.standing)." + ($0.refusal.map { " \($0)" } ?? "") }
        let able = runs.filter { $0.refusal == nil }
        var options: [Question<Bool>.Option] = [
            .init("s", "stop \(jobs.count > 1 ? "all jobs" : job.title) and leave", value: false)
        ]
        if !able.isEmpty {
            let what = able.count == 1 ? able[0].name : "\(able.count) training runs"
            options.append(.init("b", "keep \(what) running in the background and leave", value: true))
        }
        overlay = .dialog(
            QuestionDialog(question: Question("Leave Orrery?", lines: lines, escape: "stay", options)) {
                [unowned self] goesOn in
                if goesOn { handOver(able) } else { requests.append(.quit(status: 0)) }
            })
        needsDrawing = true
    }

    /// Starts a process for each run; the runs here then end with the checkpoints where those processes continue.
    private func handOver(_ runs: [TrainingDeparture.Run]) {
        let (engine, departure) = (engine, TrainingDeparture(workspace, now: clock))
        engine.run(isJob: false) {
            do {
                for run in runs { try departure.goOn(run) }
                engine.post(.readyToLeave(problem: nil))
            } catch { engine.post(.readyToLeave(problem: sentence(of: error))) }
        }
    }

    /// Leaves, or reports why it cannot.
    func leave(problem: String?) {
        if let problem { return notify(problem, .failure) }
        requests.append(.quit(status: 0))
    }
}
