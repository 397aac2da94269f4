internal import EvalLogs
internal import Glibc
internal import JSON
internal import LanguageModels
internal import System

extension ScoringRoom {
    /// Sends a request to the judge, and records the call as a step of the sample.
    ///
    /// - Parameter alternatives: Number of alternatives to request for each token.
    func ask(_ prompt: JudgePrompt, alternatives: Int = 0) throws(Problem) -> JudgeReply {
        guard let judge else { throw Problem(.missing, "", "no judge was chosen") }
        let request = ModelRequest(
            .messages(
                [Message(.system, [.text(prompt.system)]), Message(.user, [.text(prompt.user)])], tools: []),
            sampling: Sampling(temperature: 0, seed: seed, maximumTokens: 2_048), alternatives: alternatives)
        var tokens: [TokenStep] = []
        let start = Clock.nanoseconds(.wall)
        func record(_ response: ModelResponse?, _ problem: String?) {
            note(
                .model(
                    SolutionStep.CallRecord(
                        provider: judge.provider, model: judge.name, specification: judgeSpecification,
                        request: request, response: response, problem: problem, purpose: "judge", start: start,
                        end: Clock.nanoseconds(.wall), answered: tokens)))
        }
        let response: ModelResponse
        do {
            response = try judge.respond(to: request, isCancelled: isCancelled) { event in
                if case .token(let step) = event { tokens.append(step) }
            }
        } catch {
            record(nil, error.sentence)
            failed(error)
            if (judge as? JudgeProgram)?.isBroken == true { endRun() }
            throw Problem(.failed, "", "the judge did not answer: \(error.problem)")
        }
        record(response, nil)
        if response.finish == .cancelled { throw Problem(.cancelled, "", "the judge was canceled") }
        if response.finish == .length { throw Problem(.invalid, "", "the judge's answer was cut off") }
        var text = ""
        for case .text(let part) in response.message.parts { text += part }
        return JudgeReply(text: text, tokens: tokens, prompt: prompt)
    }
}

extension JudgePrompt {
    /// Returns a judge's reason with the name of its prompt.
    func details(_ reason: String?) -> String { (reason.map { $0 + "\n" } ?? "") + "judge prompt: \(title)" }

    /// Returns a score without a value.
    static func unscored(_ name: String, _ problem: Problem, answer: String? = nil) -> EvalScore {
        EvalScore(name, value: nil, answer: answer, problem: problem.what)
    }
}

extension TaskSample {
    /// The request, as text for a judge.
    var question: String {
        switch request {
        case .generation(let request):
            switch request.input {
            case .text(let text): text
            case .tokens: ""
            case .messages(let messages, _):
                messages.map { message in
                    var text = ""
                    for case .text(let part) in message.parts { text += part }
                    return messages.count == 1 ? text : "\(message.role.name): \(text)"
                }.joined(separator: "\n")
            }
        case .likelihood(let context, _), .choice(let context, _, _): context
        case .rolling(let text): text
        case .turns(_, let user, _): user.joined(separator: "\n")
        case .retrieval(let question): question.question
        case .agent(let question): question.question
        case .recorded(let record): record.question
        case .program(let value): value.string ?? value["question"]?.string ?? value["input"]?.string ?? ""
        }
    }

    /// Returns the passages behind an answer: those that were found, or else the fields `contexts` or `context`.
    func contexts(_ solution: Solution) -> [String] {
        let found = solution.passages.filter(\.isInContext).map(\.text)
        if !found.isEmpty { return found }
        let field = fields["contexts"] ?? fields["context"]
        return (field?.elements ?? [field].compactMap { $0 }).compactMap(\.string)
    }
}
