internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    // MARK: Steering

    /// Sends a request to a run, which handles it after the current step.
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
        // Until the run acknowledges a request, assume that it will take effect.
        let last = run.id == shown?.summary.id ? shown?.pending.last { $0 == .pause || $0 == .resume } : nil
        let willPause = last.map { $0 == .pause } ?? (run.state == .paused)
        return willPause
            ? send(.resume, "resuming \(run.name)") : send(.pause, "\(run.name) will pause after this step")
    }

    // MARK: Runs of our own

    /// Asks for the configuration to train; for a run that ended early, proposes its own.
    func askTrain() -> [Effect<TrainingAnswer>] {
        guard let run = target, !run.isForeign, !run.isAlive, run.state != .finished, let folder = run.folder else {
            return [trainLine(RunOrigin(configuration: "", overrides: []))]
        }
        return [
            .ask(key: "origin") { _ in
                .origin(RunOriginBox(origin: RunOrigin(in: folder) ?? RunOrigin(configuration: "", overrides: [])))
            }
        ]
    }

    func trainLine(_ origin: RunOrigin) -> Effect<TrainingAnswer> {
        let box = RunOriginBox(origin: origin)
        guard !origin.configuration.isEmpty else { return trainFile(box) }
        // A run that ended early offers its own configuration first.
        return .choose(
            ChoiceRequest(
                "Train",
                [
                    Choice(origin.configuration, detail: "Continue this run.", isCurrent: true),
                    Choice("another configuration…", value: Self.otherConfiguration),
                ], cancelled: TrainingAnswer.lineCancelled
            ) { .line(.train(box), $0) })
    }

    /// Value of the row that opens the file browser.
    static let otherConfiguration = "another configuration"

    func trainFile(_ box: RunOriginBox) -> Effect<TrainingAnswer> {
        .browse(
            FileRequest(
                "Train from a configuration", isExpected: { $0.hasSuffix(".toml") },
                cancelled: TrainingAnswer.lineCancelled
            ) { .line(.train(box), $0) })
    }

    func plan(_ path: String, _ proposed: RunOrigin) -> [Effect<TrainingAnswer>] {
        let engine = engine
        let overrides = path == proposed.configuration ? proposed.overrides : []
        return [.ask(key: "plan") { _ in .planned(PlanBox(plan: try engine.plan(path, overrides: overrides))) }]
    }

    /// Trains in this process, as a job: it continues after the user leaves the panel, and can be canceled.
    mutating func train(_ plan: TrainingEngine.Plan) -> [Effect<TrainingAnswer>] {
        guard !training.values.contains(plan.folder) else {
            return [.notify("The run is already training.", .warning)]
        }
        let path = plan.origin.configuration
        let short = "train \(path.split(separator: "/").last.map(String.init) ?? path)"
        let title = training[short] == nil ? short : "train \(path)"
        training[title] = plan.folder
        awaited = plan.folder
        let engine = engine
        return [
            .job(
                JobRequest(Departure.trainingJob, title: title) { handle in try engine.train(plan, job: handle) }),
            .wait(key: "watch", for: Self.watchInterval, then: .tick),
        ]
    }

    // MARK: Runs of others

    func follow(_ path: String) -> [Effect<TrainingAnswer>] {
        let engine = engine
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [.job(JobRequest("run import", title: "import \(name)") { _ in try engine.follow(path) })]
    }

    /// Follows the log of the visible run.
    func look() -> [Effect<TrainingAnswer>] {
        guard let run = shown?.summary, let source = run.source else { return [.cancel(key: "look")] }
        let engine = engine
        return [
            .stream(key: "look") { cancellation, _ in
                let found = try engine.look(at: source, until: cancellation)
                return .looked(run: run.id, fault: found.fault, isNew: found.isNew)
            }
        ]
    }

    mutating func looked(_ id: Int64, fault: String?, isNew: Bool) -> [Effect<TrainingAnswer>] {
        guard let run = shown?.summary, run.id == id, let source = run.source else { return [] }
        let wasFault = self.fault
        self.fault = fault
        var effects: [Effect<TrainingAnswer>] = isNew ? reload() : []
        if fault != wasFault { effects += showText(keeping: true) }
        // A deleted log is not checked again until the run is reopened.
        if TrainingEngine.canonical(source) != nil {
            effects.append(.wait(key: "look", for: Self.lookInterval, then: .lookDue(id)))
        } else if fault != nil, wasFault == nil {
            effects.append(.notify("The log of \(run.name) no longer exists. The data read so far remains.", .warning))
        }
        return effects
    }

    // MARK: Watching

    static var watchInterval: Duration { .milliseconds(500) }
    static var lookInterval: Duration { .seconds(2) }

    /// Reads the runs again after a moment, less often while none is running: another process may add a run or follow
    /// a log at any time.
    func watch() -> [Effect<TrainingAnswer>] {
        let isAlive = !training.isEmpty || runs.runs.contains(where: \.isAlive) || shown?.summary.isAlive == true
        return [.wait(key: "watch", for: isAlive ? Self.watchInterval : Self.lookInterval, then: .tick)]
    }

    // MARK: Keeping

    /// Renames a run.
    ///
    /// - Parameter name: New name; an empty name restores the recorded one.
    func rename(_ id: Int64, to name: String) -> [Effect<TrainingAnswer>] {
        let (store, before) = (engine.store, runs.runs.first { $0.id == id }?.name ?? "run \(id)")
        return [
            .ask(key: "rename") { _ in
                let row = try store.rename(id, to: name.isEmpty ? nil : name)
                return .changedRun(
                    OwnChange("renaming", of: before, row: row),
                    name.isEmpty ? "restored the recorded name" : "renamed (u undoes it)")
            }
        ]
    }

    func deleteSelected() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        let store = engine.store
        return [
            .ask(key: "delete") { _ in
                .changedRun(
                    OwnChange("deletion", of: run.name, row: try store.delete([run.id])),
                    "deleted \(run.name)\(run.isAlive ? ", which is still running" : "") (u restores it)")
            }
        ]
    }

    func undo() -> [Effect<TrainingAnswer>] {
        guard let change = ownChanges.last else { return [] }
        let store = engine.store
        return [.ask(key: "undo") { _ in .undone(change, try store.undo(only: change.row)) }]
    }

    func exporting(to path: String) -> [Effect<TrainingAnswer>] {
        guard let id = shown?.summary.id else { return [] }
        let engine = engine
        return [.ask(key: "export") { _ in .written(try engine.export(id, to: path)) }]
    }

    func copyFigures() -> [Effect<TrainingAnswer>] {
        reading.map { [.copy($0.markdown, what: "the figures")] } ?? []
    }
}
