internal import Console
internal import Evals
internal import LanguageModels
internal import Traces

extension TracePanel {
    /// The model call that is selected.
    var calledModel: Span? { run?.selectedSpan.flatMap { $0.kind == .model ? $0 : nil } }

    func askCaseFile() -> [Effect<TraceAnswer>] {
        guard calledModel != nil else { return [] }
        return [
            .prompt(
                line(
                    .caseFile, "cases file ", text: "cases.jsonl", history: "cases", complete: PathCompletion.candidates
                ))
        ]
    }

    func askCaseAnswer(_ file: String) -> [Effect<TraceAnswer>] {
        guard calledModel != nil, !file.isEmpty else { return [] }
        return [.prompt(line(.caseAnswer(file: PathCompletion.expanded(file)), "right answer (empty: the note here) "))]
    }

    /// Writes the call to the file as one more row, which a task reads with `[data] file`.
    func makeCase(_ answer: String, _ file: String) -> [Effect<TraceAnswer>] {
        guard let run, let span = calledModel else { return [] }
        let (workspace, trace) = (store.workspace, run.trace.summary.id)
        return [
            .ask(key: "case") { _ in
                let id = try TaskCases.append(
                    workspace, run: trace, span: span.ordinal, target: answer.isEmpty ? nil : answer, to: file)
                return .done("case \(id) is in \(file)")
            }
        ]
    }
}
