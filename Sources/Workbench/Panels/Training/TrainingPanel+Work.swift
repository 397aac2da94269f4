internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    // MARK: Steering

    /// Gives a run an order; it is obeyed after the step that it is at.
    func send(_ order: RunOrder, _ sentence: String, to id: Int64? = nil) -> [Effect<TrainingAnswer>] {
        guard let id = id ?? target?.id else { return [] }
        let store = engine.store
        return [
            .ask(key: "order") { _ in
                try store.send(order, to: id)
                return .ordered(sentence)
            }
        ]
    }

    func pauseOrResume() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        return run.state == .paused ? send(.resume, "it goes on") : send(.pause, "it pauses after this step")
    }

    // MARK: Runs of our own and of others

    /// Trains in this process, as a job: it goes on after the panel is left and can be cancelled.
    mutating func train(_ path: String) -> [Effect<TrainingAnswer>] {
        let title = "train \(path.split(separator: "/").last.map(String.init) ?? path)"
        guard training.insert(title).inserted else {
            return [.notify("it is being trained already", .warning)]
        }
        awaitsRun = true
        let engine = engine
        return [
            .job(
                JobRequest("train", title: title) { handle in
                    try engine.train(path, job: handle)
                }),
            .wait(key: "watch", for: Self.watchInterval, then: .tick),
        ]
    }

    func follow(_ path: String) -> [Effect<TrainingAnswer>] {
        let engine = engine
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [.job(JobRequest("run import", title: "import \(name)") { _ in try engine.follow(path) })]
    }

    // MARK: Watching

    static var watchInterval: Duration { .milliseconds(500) }

    /// Looks again after a moment, as long as something that is shown may change.
    func watch() -> [Effect<TrainingAnswer>] {
        let isAlive = !training.isEmpty || runs.runs.contains(where: \.isAlive) || shown?.summary.isAlive == true
        return isAlive ? [.wait(key: "watch", for: Self.watchInterval, then: .tick)] : [.cancel(key: "watch")]
    }

    // MARK: Keeping

    func rename(_ id: Int64, to name: String) -> [Effect<TrainingAnswer>] {
        let store = engine.store
        return [
            .ask(key: "rename") { _ in
                try store.rename(id, to: name)
                return .done("renamed; u takes it back")
            }
        ]
    }

    func deleteSelected() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        let store = engine.store
        return [
            .ask(key: "delete") { _ in
                try store.delete([run.id])
                return .done("deleted \(run.name); u brings it back")
            }
        ]
    }

    func undo() -> [Effect<TrainingAnswer>] {
        let store = engine.store
        return [.ask(key: "undo") { _ in .done(try store.undo() ?? "there is nothing to take back") }]
    }

    func exporting(to path: String) -> [Effect<TrainingAnswer>] {
        guard let id = shown?.summary.id else { return [] }
        let engine = engine
        return [.ask(key: "export") { _ in .done(try engine.export(id, to: path)) }]
    }

    func copyFigures() -> [Effect<TrainingAnswer>] {
        guard let shown else { return [] }
        return [.copy(TrainingReading(shown, peaks: peaks, now: engine.now()).markdown, what: "the figures")]
    }
}
