internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import System
internal import Workspace

/// Starting, steering, renaming, and deleting runs.
extension EvalPage {
    // MARK: Starting

    // A start takes a task, a model, and settings. Each is checked when it is entered, and only a rejected one is
    // requested again.

    /// - Parameter refused: Path that was entered before and is not a task.
    func askTask(refused: String = "") -> Work<Self> {
        // Start in the folder of the refused file.
        let folder = refused.lastIndex(of: "/").map { String(refused[..<$0]) }
        return .browse(
            "Run a task", from: folder,
            isExpected: { name in [".toml", ".yaml", ".yml", ".jsonl", ".csv"].contains { name.hasSuffix($0) } }
        ) { page, path in
            let task = PathCompletion.expanded(path)
            return page.read("task") {
                try $0.check(task: task)
            } then: { page, check in
                page.askModel(task, check)
            } failed: { page, _ in
                page.askTask(refused: task)
            }
        }
    }

    private func askModel(_ task: String, _ check: EvalTaskCheck) -> Work<Self> {
        guard check.asksModel else { return askJudge(task, check, model: "") }
        // Propose the model that answered this task last.
        let last = runs.entries.filter { !$0.isForeign && $0.run.task == check.name }
            .max { ($0.run.start ?? 0) < ($1.run.start ?? 0) }?.run.model
        return askModel(task, check, proposed: last ?? "")
    }

    private func askModel(_ task: String, _ check: EvalTaskCheck, proposed: String) -> Work<Self> {
        read("models") {
            try $0.models()
        } then: { _, models in
            var request = ModelChoices.request("Model for \(Self.fileName(task))", models, current: proposed) { $0 }
            request.chooser.placeholder = "type to filter, or a path, openai:NAME, exec:PROGRAM"
            // The last model may be a program or an endpoint, which no list contains.
            if !proposed.isEmpty, !request.chooser.choices.contains(where: \.isCurrent) {
                request.chooser.setQuery(proposed)
            }
            return Self.model(request) { page, model in
                page.read("model") {
                    try $0.check(model: model)
                } then: { page, _ in
                    page.askJudge(task, check, model: model)
                } failed: { page, _ in
                    page.askModel(task, check, proposed: model)
                }
            }
        }
    }

    /// Asks for the judge if the task needs one, and then for the settings.
    private func askJudge(_ task: String, _ check: EvalTaskCheck, model: String) -> Work<Self> {
        guard check.asksJudge else { return askSettings(task, model) }
        return read("models") {
            try $0.models()
        } then: { _, models in
            Self.model(
                ModelChoices.request("Judge model for \(Self.fileName(task))", models, current: "") { $0 }
            ) { $0.askSettings(task, model, values: ["judge": $1]) }
        }
    }

    /// Asks for a model of the list, a file, or a typed name.
    private static func model(
        _ request: ChoiceRequest<String>, then: @escaping (inout Self, String) -> Work<Self>
    ) -> Work<Self> {
        .choose(request) { page, typed in
            if typed == ModelChoices.findFile { return .browse(ModelChoices.browse { $0 }, then: then) }
            return typed.trimmed.isEmpty ? [] : then(&page, typed.trimmed)
        }
    }

    private func askSettings(_ task: String, _ model: String, values: [String: String] = [:]) -> Work<Self> {
        let fields = EvalStartWords.choices.map { choice in
            Form.Field(
                choice.name, value: values[choice.name] ?? "", defaultValue: choice.standard, choices: choice.values,
                allowed: choice.allowed, help: choice.help, check: { EvalStartWords.problem(choice.name, $0) })
        }
        return .form(Form("Run \(Self.fileName(task))", verb: "start", fields)) { page, values in
            do throws(Problem) {
                let words = fields.compactMap { field in
                    values[field.name].flatMap { $0.isEmpty ? nil : "\(field.name)=\($0.replacing(" ", with: "_"))" }
                }
                let setup = try EvalStartWords(words.joined(separator: " ")).setup(task: task, model: model)
                return page.start(.task(setup), name: Self.fileName(task))
            } catch { return [.notify(error.sentence, .warning), page.askSettings(task, model, values: values)] }
        }
    }

    private mutating func start(_ start: EvalStart, name: String) -> Work<Self> {
        let title = "eval \(Escape.printable(name))"
        guard working.insert(title).inserted else { return .notify("\(title) is already running", .warning) }
        if start.isNew { awaited = Set(runs.entries.map(\.id)) }
        let job = job(EvalStore.workbenchJob, title: title) {
            try $0.start(start, $1)
        } then: { page, end in
            page.working.remove(title)
            return [.notify(end.sentence, end.isGood ? .success : .warning), .changed]
        } failed: { page, _ in
            page.working.remove(title)
            return .again("runs")
        }
        return [job, Self.lookSoon]
    }

    mutating func startAgain(_ make: (Int64) -> EvalStart) -> Work<Self> {
        guard let target else { return [] }
        let start = make(target.id)
        return [start.isNew ? [] : .notify("resuming \(target.title)"), self.start(start, name: target.title)]
    }

    // MARK: Steering

    /// Pauses or resumes the run. A paused run sends no new requests, but running ones finish.
    func pauseRun() -> Work<Self> {
        guard let target else { return [] }
        let isPaused = target.progress?.waits.contains { $0.cause == .paused }
        return write {
            try $0.pause(target.id, isPaused: isPaused)
        } then: { _, isNow in
            .notify(isNow ? "pausing \(target.title): P resumes it" : "resuming \(target.title)", .success)
        }
    }

    func askStop() -> Work<Self> {
        guard let target else { return [] }
        let done = target.total.map { "\(target.samples) of \(Format.count($0))" } ?? target.samples
        let share = target.share.map { " (\($0))" } ?? ""
        return .question(
            Question(
                "Stop \(Escape.printable(target.title).truncated(toColumns: 40))?",
                lines: ["\(done) samples\(share) are saved. Press a to resume the run."],
                [.init("s", "stop the run", value: true)])
        ) { page, _ in
            page.write {
                try $0.stop(target.id)
            } then: { _, _ in
                .notify("stopping \(target.title); finished samples are saved", .success)
            }
        }
    }

    func changeConcurrency(by step: Int) -> Work<Self> {
        guard let target else { return [] }
        return write { desk in
            // The chosen limit counts, not what is left of it while a server is slow.
            let chosen = try target.most ?? desk.concurrency(of: target.id) ?? target.progress?.concurrency ?? 8
            let before = min(max(1, chosen), 512)
            let most = min(512, max(1, before + step * max(1, before / 4)))
            try desk.setConcurrency(most, of: target.id)
            return most
        } then: { page, most in
            page.limits[target.id] = most
            return [.notify("at most \(Format.count(most, "sample")) in flight", .success), .again("runs")]
        }
    }

    // MARK: Renaming and deleting

    func askRename() -> Work<Self> {
        guard view != .queue else { return askRater() }
        guard let target else { return [] }
        return .value(
            "Rename the run", verb: "save", Form.Field("name", value: Escape.printable(target.run.name))
        ) { page, name in
            guard !name.isEmpty else { return [] }
            return page.write {
                try $0.rename(target.id, to: name)
            } then: { _, _ in
                [.notify("renamed", .success), .changed]
            }
        }
    }

    /// Asks before it deletes the chosen runs; logs of other programs among them stay.
    func askDelete() -> Work<Self> {
        let own = chosen.filter { !$0.isForeign }
        guard let first = own.first else { return [] }
        func name(_ entry: EvalRunEntry) -> String { Escape.printable(entry.title).truncated(toColumns: 40) }
        let isOne = own.count == 1
        let names = isOne ? [] : own.prefix(6).map(name) + (own.count > 6 ? ["and \(own.count - 6) more"] : [])
        let told = isOne ? first.title : Format.count(own.count, "run")
        return .question(
            Question(
                isOne ? "Delete \(name(first))?" : "Delete \(own.count) marked runs?",
                lines: names + ["This permanently deletes the \(isOne ? "run and its" : "runs and their") samples."],
                [.init("d", isOne ? "delete the run" : "delete the \(own.count) runs", value: own.map(\.id))])
        ) { page, ids in
            page.write { desk in
                for id in ids { try desk.delete(id) }
            } then: { _, _ in
                [.notify("deleted \(told)", .success), .changed]
            } failed: { _, _ in
                // Some of the runs may be deleted.
                .changed
            }
        }
    }
}
