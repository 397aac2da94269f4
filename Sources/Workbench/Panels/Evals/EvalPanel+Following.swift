internal import Console
internal import EvalLogs
internal import Evals

/// A log that another program is writing is read on as it grows, as long as it is shown.
extension EvalPanel {
    static var followInterval: Duration { .seconds(1) }

    /// Looks once a second whether another program has written into the log that is shown.
    func follow() -> [Effect<EvalAnswer>] {
        guard let id = open?.id, id < 0 else { return [.cancel(key: "follow")] }
        return [.wait(key: "follow", for: Self.followInterval, then: .followTick(run: id))]
    }

    func lookAgain(_ id: Int64) -> [Effect<EvalAnswer>] {
        guard let open, open.id == id else { return follow() }
        let log = open.log
        return [
            .ask(key: "look") { _ in
                let change = log.refresh()
                return .followed(run: id, change, log.run)
            }
        ]
    }

    /// The head of another program's log, with the errors that were counted in its samples where it tells none.
    func withErrors(_ run: EvalRun, of id: Int64) -> EvalRun {
        guard run.errors == nil, let errors = counted[id] else { return run }
        var run = run
        run.errors = errors
        return run
    }

    /// The log that is shown has changed, or has not.
    mutating func take(_ change: EvalLogChange, _ run: EvalRun, of id: Int64) -> [Effect<EvalAnswer>] {
        guard let open, open.id == id else { return follow() }
        guard change != .none || withErrors(run, of: id) != open.run || open.hasNews else { return follow() }
        if let place = logs.indices.first(where: { -Int64($0 + 1) == id }) { logs[place].run = run }
        let run = withErrors(run, of: id)
        runs.update(id, run)
        self.open?.run = run
        if change == .replaced {
            self.open = nil
            return show(id) + follow()
        }
        // What comes while rows are being read is looked for once they are.
        let hasNews = change == .grown || open.hasNews
        self.open?.hasNews = hasNews && !open.isRead
        guard hasNews, open.isRead else { return follow() + showText(keeping: true) }
        // Read an ended run again, with its slices.
        if run.state != .running { return show(id) + follow() }
        return [readRows(open, from: open.index.count)] + follow() + showText(keeping: true)
    }
}
