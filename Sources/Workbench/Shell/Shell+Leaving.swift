internal import Console
internal import Formatting
internal import Presentation
internal import Workspace

extension Shell {
    /// An answer to the question whether to leave.
    private enum LeaveAnswer: Sendable {
        case stop, background
    }

    /// Leaves the workbench, after a question if jobs are running.
    func quit() {
        guard !jobs.isEmpty else { return requests.append(.quit(status: 0)) }
        departures = []
        guard jobs.contains(where: { $0.job.map(Departure.isPossible) ?? false }) else { return askToLeave([]) }
        let read = departureReader
        engine.run(.read) { [engine] in
            do { engine.post(.underWay(try read())) } catch {
                // `q` must work even if the workspace is damaged.
                let problem = Departure(
                    name: "background", standing: "not possible", refusal: sentence(of: error), continueInBackground: {}
                )
                engine.post(.underWay([problem]))
            }
        }
    }

    /// Reads which jobs of this process can continue in the background.
    private var departureReader: @Sendable () throws -> [Departure] {
        let (workspace, now, running) = (workspace, clock, Set(jobs.compactMap(\.handle?.id)))
        return { try Departure.underWay(running, in: workspace, now: now) }
    }

    /// Asks whether to stop running jobs. The question follows the jobs while it is open.
    ///
    /// - Parameter departures: Work that can continue in the background.
    package func askToLeave(_ departures: [Departure]) {
        guard !jobs.isEmpty else { return requests.append(.quit(status: 0)) }
        self.departures = departures
        overlay = .dialog(
            QuestionDialog(
                question: { [unowned self] in leaveQuestion },
                accept: { [unowned self] answer in
                    switch answer {
                    case .stop: requests.append(.quit(status: 0))
                    case .background: handOver(self.departures.filter { $0.refusal == nil })
                    }
                }))
        needsDrawing = true
    }

    private var leaveQuestion: Question<LeaveAnswer> {
        guard let job = jobs.last else {
            // The same key leaves before and after the last job ends.
            return Question(
                "Leave Orrery?", lines: ["All jobs have finished."], escape: "stay", [.init("s", "leave", value: .stop)]
            )
        }
        let done = job.job?.fraction.map { " at \(Format.progress($0))" } ?? ""
        var lines = [
            jobs.count > 1
                ? "\(job.title)\(done) and \(jobs.count - 1) more are still running."
                : "\(job.title) is still running\(done)."
        ]
        lines += departures.map { "\($0.name): \($0.standing)." + ($0.refusal.map { " \($0)" } ?? "") }
        let able = departures.filter { $0.refusal == nil }
        var options: [Question<LeaveAnswer>.Option] = [
            .init("s", "stop \(jobs.count > 1 ? "all jobs" : job.title) and leave", value: .stop)
        ]
        if !able.isEmpty {
            let what = able.count == 1 ? able[0].name : "\(able.count) runs"
            options.append(.init("b", "keep \(what) running in the background and leave", value: .background))
        }
        return Question("Leave Orrery?", lines: lines, escape: "stay", options)
    }

    /// Rereads the work that can continue in the background, after a job progressed or ended while the question is
    /// open.
    ///
    /// - Parameter isUrgent: Whether to read even while another read is in progress.
    func refreshDepartures(isUrgent: Bool) {
        guard case .dialog(_ as QuestionDialog<LeaveAnswer>) = overlay, !departures.isEmpty,
            isUrgent || !isReadingDepartures
        else { return }
        isReadingDepartures = true
        let read = departureReader
        // If reading fails, the answer `b` reports the problem.
        run({ try? read() }) { shell, read in
            shell.isReadingDepartures = false
            shell.departures = read ?? shell.departures
        }
    }

    /// Starts a process for each run; the runs here then end where those processes continue.
    private func handOver(_ departures: [Departure]) {
        engine.run(.read) { [engine] in
            do {
                for departure in departures { try departure.continueInBackground() }
                engine.post(.readyToLeave(problem: nil))
            } catch { engine.post(.readyToLeave(problem: sentence(of: error))) }
        }
    }

    /// Leaves, or reports why it cannot.
    func leave(problem: String?) {
        if let problem { return notify(problem, .failure) }
        let names = departures.filter { $0.refusal == nil }.map { Escape.printable($0.name) }
        parting = names.map { "\($0) continues in the background. Open orrery again to see its progress.\n" }.joined()
        requests.append(.quit(status: 0))
    }
}
