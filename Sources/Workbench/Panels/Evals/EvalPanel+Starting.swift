internal import Console
internal import EvalLogs
internal import Evals
internal import ModelLab

/// Starting a run takes three inputs: a task, a model, and settings. Each is checked when it is entered, and only
/// the refused one is requested again.
extension EvalPanel {
    /// - Parameter refused: Path that was entered before and is not a task.
    func askTask(refused: String = "") -> Effect<EvalAnswer> {
        // Start in the folder of the refused file.
        let folder = refused.lastIndex(of: "/").map { String(refused[..<$0]) }
        return .browse(
            FileRequest(
                "Run a task", from: folder,
                isExpected: { name in
                    [".toml", ".yaml", ".yml", ".jsonl", ".csv"].contains { name.hasSuffix($0) }
                }, cancelled: EvalAnswer.lineCancelled
            ) { .line(.task, $0) })
    }

    func check(task: String) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [.ask(key: "task \(task)") { _ in .taskIsGood(task, try desk.check(task: task)) }]
    }

    func askModel(_ task: String, _ check: EvalTaskCheck) -> [Effect<EvalAnswer>] {
        guard check.asksModel else { return [askJudge(task, "")] }
        // Propose the model that answered this task last.
        let last = runs.entries.filter { !$0.isForeign && $0.run.task == check.name }
            .max { ($0.run.start ?? 0) < ($1.run.start ?? 0) }?.run.model
        return [askModel(task, proposed: last ?? "")]
    }

    private func askModel(_ task: String, proposed: String) -> Effect<EvalAnswer> {
        let desk = desk
        return .ask(key: "models") { _ in .models(try desk.models(), task: task, proposed: proposed) }
    }

    func choose(among models: [ModelEntry], for task: String, _ proposed: String) -> Effect<EvalAnswer> {
        var request = ModelChoices.request(
            "Model for \(Self.fileName(task))", models, current: proposed, cancelled: EvalAnswer.lineCancelled
        ) { .line(.model(task: task), $0) }
        request.chooser.placeholder = "type to filter, or a path, openai:NAME, exec:PROGRAM"
        // What answered last may be a program or an endpoint, which no list holds.
        if !proposed.isEmpty, !request.chooser.choices.contains(where: \.isCurrent) {
            request.chooser.setQuery(proposed)
        }
        return .choose(request)
    }

    func check(model: String, task: String) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [
            .ask(key: "model \(task)\n\(model)") { _ in
                try desk.check(model: model)
                return .modelIsGood(task: task, model: model)
            }
        ]
    }

    /// Asks for the model that judges if the task needs one, else for the rest.
    func askJudge(_ task: String, _ model: String) -> Effect<EvalAnswer> {
        guard judged.contains(task) else { return askChoices(task, model) }
        let desk = desk
        return .ask(key: "models") { _ in .judges(try desk.models(), task: task, model: model) }
    }

    func askChoices(_ task: String, _ model: String, refused: String = "") -> Effect<EvalAnswer> {
        let given = EvalStartWords.values(refused)
        let fields = EvalStartWords.choices.map { choice in
            Form.Field(
                choice.name, value: given[choice.name] ?? "", defaultValue: choice.standard, choices: choice.values,
                allowed: choice.allowed, help: choice.help, check: { EvalStartWords.problem(choice.name, $0) })
        }
        return .fill(
            FormRequest(
                Form("Run \(Self.fileName(task))", verb: "start", fields), cancelled: EvalAnswer.lineCancelled
            ) { values in
                let words = fields.compactMap { field in
                    values[field.name].flatMap { $0.isEmpty ? nil : "\(field.name)=\($0.replacing(" ", with: "_"))" }
                }
                return .line(.choices(task: task, model: model), words.joined(separator: " "))
            })
    }

    mutating func start(_ task: String, _ model: String, with typed: String) -> [Effect<EvalAnswer>] {
        do throws(EvalStartWords.Problem) {
            let setup = try EvalStartWords(typed).setup(task: task, model: model)
            return start(.task(setup), name: Self.fileName(task))
        } catch { return [.notify(error.sentence, .warning), askChoices(task, model, refused: typed)] }
    }

    /// Returns a request for the refused input again, with the typed text; `nil` for other work.
    func askAgain(_ key: String) -> Effect<EvalAnswer>? {
        if key.hasPrefix("task ") { return askTask(refused: String(key.dropFirst(5))) }
        guard key.hasPrefix("model ") else { return nil }
        let parts = key.dropFirst(6).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return askModel(String(parts[0]), proposed: String(parts[1]))
    }
}
