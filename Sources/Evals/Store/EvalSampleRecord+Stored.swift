internal import EvalLogs
internal import LanguageModels

extension EvalSampleRecord {
    /// Creates a sample for panels from the stored data.
    init(row: EvalRow, stored: StoredSample, trace: String?) {
        let solution = stored.solution
        let own = solution.steps.last {
            if case .model(let call) = $0 { call.purpose == nil } else { false }
        }
        var messages: [Message] = []
        if case .model(let call) = own {
            switch call.request.input {
            case .messages(let asked, _): messages = asked
            case .text(let text): messages = [Message(.user, [.text(text)])]
            case .tokens: messages = [Message(.user, [.text(stored.input)])]
            }
            if let answer = call.response?.message { messages.append(answer) }
        } else {
            messages = [Message(.user, [.text(stored.input)])]
            if !solution.answers.isEmpty { messages.append(Message(.assistant, [.text(solution.answer)])) }
        }
        let steps = solution.steps.map { EvalStep($0) }
        self.init(
            row: row, messages: messages, input: stored.input, answer: solution.answers.first,
            targets: stored.targets, choices: stored.choices, scores: stored.scores, metadata: stored.fields,
            steps: steps, failingStep: row.failingStep(among: steps), trace: trace,
            standardError: solution.standardError)
    }
}

extension EvalStep {
    /// Creates a step for lists.
    init(_ step: SolutionStep) {
        switch step {
        case .model(let call):
            self.init(
                kind: call.purpose == nil ? .model : .evaluator,
                name: call.purpose.map { "\($0): \(call.model)" } ?? call.model,
                seconds: Self.seconds(call.start, call.end),
                problem: call.problem
                    ?? (call.response?.finish == .length ? "the response was cut off at the token limit" : nil))
        case .tool(let run):
            self.init(
                // If a program reported no time for a step, it has none.
                kind: .tool, name: run.call.name,
                seconds: run.start == run.end ? nil : Self.seconds(run.start, run.end),
                problem: run.result.isError ? run.result.content : nil)
        case .search(let search):
            self.init(
                kind: .retrieval, name: search.corpus, seconds: Self.seconds(search.start, search.end),
                problem: search.problem)
        }
    }

    private static func seconds(_ start: Int64, _ end: Int64) -> Double { max(0, Double(end &- start)) * 1e-9 }
}
