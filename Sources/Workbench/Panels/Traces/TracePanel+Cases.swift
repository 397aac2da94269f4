internal import Console
internal import Evals
internal import LanguageModels
internal import Traces

extension TracePanel {
    /// Selected model call.
    var calledModel: Span? { run?.selectedSpan.flatMap { $0.kind == .model ? $0 : nil } }

    func askCase() -> [Effect<TraceAnswer>] {
        guard calledModel != nil else { return [] }
        let form = Form(
            "Test case", verb: "add",
            [
                .init(
                    "file", value: "cases.jsonl", help: "Appends a row if the file exists.",
                    isPath: true,
                    check: { $0.trimmed.isEmpty || $0.trimmed.hasSuffix("/") ? "type a file name" : nil }),
                .init(
                    "correct answer", value: "", allowed: "empty for the step's note",
                    help: "The reply the model should have given."),
            ])
        return [
            .fill(
                FormRequest(form) { values in
                    let file = PathCompletion.expanded((values["file"] ?? "").trimmed)
                    return .line(.caseAnswer(file: file), values["correct answer"] ?? "")
                })
        ]
    }

    /// Writes the call to the file as one more row, which a task reads with `[data] file`.
    func makeCase(_ answer: String, _ file: String) -> [Effect<TraceAnswer>] {
        guard let run, let span = calledModel else { return [] }
        let (workspace, trace) = (store.workspace, run.trace.summary.id)
        return [
            .ask(key: "case") { _ in
                let id = try TaskCases.append(
                    workspace, run: trace, span: span.ordinal, target: answer.isEmpty ? nil : answer, to: file)
                return .done("added case \(id) to \(file)")
            }
        ]
    }
}
