internal import LanguageModels
internal import System

/// Asks a language model for a text, once for each prompt, and keeps every call for the trace of the run.
struct LanguageModelAsker {
    let model: any LanguageModel
    let memory: PipelineMemory
    let calls: CallList
    /// The stage that asks.
    let stage: String

    var name: String { model.name }

    /// - Returns: The text without the spaces around it, or why there is none.
    /// - Throws: `Problem` if the request was canceled.
    func ask(
        _ prompt: String, tokens: Int, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> Result<String, Problem> {
        if isCancelled() { throw .cancelled(stage) }
        let key = "\(model.provider) \(model.name) \(tokens)"
        if let known = memory.answer(to: prompt, by: key) { return .success(known) }
        let input: ModelRequest.Input =
            model.capabilities.acceptsMessages
            ? .messages([Message(.user, [.text(prompt)])], tools: []) : .text(prompt)
        var sampling = Sampling.greedy
        sampling.maximumTokens = tokens
        let request = ModelRequest(input, sampling: sampling)
        let start = Clock.nanoseconds(.wall)
        let outcome: Result<ModelResponse, LanguageModelError>
        do {
            outcome = .success(try model.respond(to: request, isCancelled: isCancelled, receive: { _ in }))
        } catch {
            outcome = .failure(error)
        }
        calls.append(
            ModelCall(
                provider: model.provider, model: model.name, request: request, start: start,
                end: Clock.nanoseconds(.wall),
                outcome: outcome), of: stage)
        switch outcome {
        case .failure(let error):
            return .failure(Problem(.failed, error.model, error.problem, remedy: error.remedy))
        case .success(let response):
            if response.finish == .cancelled || isCancelled() { throw .cancelled(stage) }
            let parts = response.message.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let text = parts.joined().trimmed
            guard !text.isEmpty else {
                return .failure(Problem(.missing, model.name, "the reply is empty (\(response.finish.name))"))
            }
            memory.keep(text, to: prompt, by: key)
            return .success(text)
        }
    }
}

extension StringProtocol {
    /// Without the white space around it.
    fileprivate var trimmed: String {
        let front = drop { $0.isWhitespace }
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(front[...last])
    }
}
