import LanguageModels
import Synchronization

/// Says its answers one after the other, and remembers what it was asked.
final class EchoModel: LanguageModel {
    let name = "echo"
    let provider = "toy"
    let capabilities = ModelCapabilities()
    private let state: Mutex<(answers: [String], prompts: [String])>

    init(answers: [String]) { state = Mutex((answers, [])) }

    var prompts: [String] { state.withLock { $0.prompts } }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var prompt = ""
        if case .messages(let messages, _) = request.input, case .text(let text)? = messages.first?.parts.first {
            prompt = text
        }
        let answer = state.withLock { state in
            state.prompts.append(prompt)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw LanguageModelError(.local, model: name, problem: "nothing left to say") }
        return ModelResponse(
            message: Message(.assistant, [.text(answer)]), finish: .stop, usage: nil, model: name,
            secondsToFirstToken: nil, seconds: 0)
    }
}
