internal import Console
internal import Training
internal import TrainingLab

extension TrainingPage {
    // MARK: Requests to a run

    /// Sends a request to a run, which handles it after the current step.
    func send(_ order: RunOrder, _ sentence: String, to id: Int64? = nil) -> Work<Self> {
        guard let id = id ?? target?.id else { return [] }
        return write {
            try $0.store.send(order, to: id)
        } then: { _, _ in
            [.notify(sentence), .again("open")]
        }
    }

    func pauseOrResume() -> Work<Self> {
        guard let run = target else { return [] }
        // Until the run acknowledges a request, assume that it will take effect.
        let last = run.id == shown?.summary.id ? shown?.pending.last { $0 == .pause || $0 == .resume } : nil
        let willPause = last.map { $0 == .pause } ?? (run.state == .paused)
        return willPause
            ? send(.resume, "resuming \(run.name)") : send(.pause, "\(run.name) will pause after this step")
    }

    func confirmStop() -> Work<Self> {
        guard let run = target else { return [] }
        return .question(
            Question(
                "Stop training “\(Escape.printable(run.name).truncated(toColumns: 40))”?",
                lines: ["Training writes a checkpoint and stops after this step. Press r to resume it."],
                [.init("s", "stop and keep the checkpoint", value: RunOrder.stop)])
        ) { $0.send($1, "Training stops after this step.", to: run.id) }
    }

    // MARK: Training in this process

    /// Asks for the configuration to train; for a run that ended early, proposes its own.
    func chooseConfiguration() -> Work<Self> {
        guard let run = target, !run.isForeign, !run.isAlive, run.state != .finished, let folder = run.folder else {
            return browseConfiguration(nil)
        }
        return read("origin") { _ in
            RunOrigin(in: folder)
        } then: { page, origin in
            guard let origin, !origin.configuration.isEmpty else { return page.browseConfiguration(nil) }
            let choices: [Choice<RunOrigin?>] = [
                Choice(origin.configuration, detail: "Continue this run.", isCurrent: true, value: origin),
                Choice("another configuration…", value: nil),
            ]
            return .choose("Train", choices) { page, chosen in
                chosen.map { page.plan($0) } ?? page.browseConfiguration(origin)
            }
        }
    }

    /// Asks for a configuration file.
    ///
    /// - Parameter proposed: The origin whose overrides apply if its configuration is chosen again.
    private func browseConfiguration(_ proposed: RunOrigin?) -> Work<Self> {
        .browse("Train from a configuration", isExpected: { $0.hasSuffix(".toml") }) { page, path in
            let path = PathCompletion.expanded(path)
            let overrides = path == proposed?.configuration ? proposed?.overrides : nil
            return page.plan(RunOrigin(configuration: path, overrides: overrides ?? []))
        }
    }

    private func plan(_ origin: RunOrigin) -> Work<Self> {
        read("plan") {
            try $0.plan(origin.configuration, overrides: origin.overrides)
        } then: {
            $0.train($1)
        }
    }

    /// Trains in this process, as a job: it continues after the user leaves the page, and can be canceled.
    private mutating func train(_ plan: TrainingEngine.Plan) -> Work<Self> {
        let folder = plan.folder
        guard training[folder] == nil else { return .notify("The run is already training.", .warning) }
        let path = plan.origin.configuration
        let short = "train \(path.split(separator: "/").last.map(String.init) ?? path)"
        let title = training.values.contains(short) ? "train \(path)" : short
        training[folder] = title
        awaited = folder
        return [
            job(Departure.trainingJob, title: title) {
                try $0.train(plan, job: $1)
            } then: { page, end in
                // A user who reads another run stays there.
                if page.awaited != nil { page.wanted = end.run ?? page.wanted }
                page.trainingEnded(folder)
                return [.notify(end.sentence, end.isGood ? .success : .failure), .changed]
            } failed: { page, _ in
                page.trainingEnded(folder)
                return .again("runs")
            },
            .wait("watch", Self.watchInterval) { _ in .again("runs") },
        ]
    }

    private mutating func trainingEnded(_ folder: String) {
        training[folder] = nil
        if training.isEmpty { awaited = nil }
    }

    // MARK: Names, deletion, files

    func renameTarget() -> Work<Self> {
        guard let run = target else { return [] }
        let field = Form.Field("name", value: Escape.printable(run.name))
        return .value("Rename the run", verb: "rename", field) { page, typed in
            // An empty name restores the recorded one.
            let name = typed.trimmed.isEmpty ? nil : typed.trimmed
            return page.write {
                try $0.store.rename(run.id, to: name)
            } then: { page, row in
                page.made(
                    OwnChange("renaming", of: run.name, row: row),
                    name == nil ? "restored the recorded name" : "renamed (u undoes it)")
            }
        }
    }

    func deleteTarget() -> Work<Self> {
        guard let run = target else { return [] }
        return write {
            try $0.store.delete([run.id])
        } then: { page, row in
            page.made(
                OwnChange("deletion", of: run.name, row: row),
                "deleted \(run.name)\(run.isAlive ? ", which is still running" : "") (u restores it)")
        }
    }

    private mutating func made(_ change: OwnChange?, _ sentence: String) -> Work<Self> {
        ownChanges += [change].compactMap(\.self)
        return [.notify(sentence, .success), .changed]
    }

    func export(to path: String) -> Work<Self> {
        guard let id = shown?.summary.id else { return [] }
        return write {
            try $0.export(id, to: path)
        } then: {
            .notify($1, .success)
        }
    }
}
