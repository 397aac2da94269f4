internal import Console
internal import Evals
internal import Traces

/// Three lines start a run: a task, a model, and what is chosen besides. Each is looked at when it is given, and what is
/// refused alone is asked for again.
extension EvalPanel {
    /// - Parameter refused: what was typed before and was no task.
    func askTask(refused: String = "") -> Effect<EvalAnswer> {
        .prompt(
            line(
                .task, "task (path of a file) ", text: refused, history: "eval-task",
                complete: PathCompletion.candidates))
    }

    func check(task: String) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [.ask(key: "task \(task)") { _ in .taskIsGood(task, try desk.check(task: task)) }]
    }

    func askModel(_ task: String, _ check: EvalTaskCheck) -> [Effect<EvalAnswer>] {
        guard check.asksModel else { return [askChoices(task, "")] }
        // The one that answered this task last is the one that most likely answers it again.
        let last = runs.entries.filter { !$0.isForeign && $0.run.task == check.name }
            .max { ($0.run.start ?? 0) < ($1.run.start ?? 0) }?.run.model
        return [askModel(task, proposed: last ?? "")]
    }

    private func askModel(_ task: String, proposed: String, isRefused: Bool = false) -> Effect<EvalAnswer> {
        .prompt(
            line(
                .model(task: task), "model (name, path, openai:NAME, exec:PROGRAM) ", text: proposed,
                isProposal: !isRefused, history: "eval-model"))
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

    func askChoices(_ task: String, _ model: String, refused: String = "") -> Effect<EvalAnswer> {
        .prompt(
            line(
                .choices(task: task, model: model), "with (Tab lists choices, Enter starts) ", text: refused,
                history: "eval-with", complete: EvalStartWords.candidates))
    }

    mutating func start(_ task: String, _ model: String, with typed: String) -> [Effect<EvalAnswer>] {
        do throws(EvalStartWords.Problem) {
            let setup = try EvalStartWords(typed).setup(task: task, model: model)
            return start(.task(setup), name: Self.fileName(task))
        } catch { return [.notify(error.sentence, .warning), askChoices(task, model, refused: typed)] }
    }

    /// The line again that was refused, with what was typed; nil where the work was another.
    func askAgain(_ key: String) -> Effect<EvalAnswer>? {
        if key.hasPrefix("task ") { return askTask(refused: String(key.dropFirst(5))) }
        guard key.hasPrefix("model ") else { return nil }
        let parts = key.dropFirst(6).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return askModel(String(parts[0]), proposed: String(parts[1]), isRefused: true)
    }
}
