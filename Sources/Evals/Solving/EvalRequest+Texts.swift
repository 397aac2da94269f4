internal import JSON
internal import LanguageModels

extension EvalRequest {
    /// The request as one text for lists, programs, and traces.
    public var inputText: String {
        switch self {
        case .generation(let request):
            switch request.input {
            case .text(let text): text
            case .tokens(let ids): "\(ids.count) tokens"
            case .messages(let messages, _):
                messages.count == 1
                    ? messages[0].plainText
                    : messages.map { "\($0.role.name): \($0.plainText)" }.joined(separator: "\n")
            }
        case .likelihood(let context, let continuation): context + continuation
        case .rolling(let text): text
        case .choice(let context, _, _): context
        case .turns(let system, let user, _): ((system.map { [$0] } ?? []) + user).joined(separator: "\n")
        case .retrieval(let question): question.question
        case .agent(let question): question.question
        case .program(let value): value.string ?? value["input"]?.string ?? value.json()
        case .recorded(let record): record.question
        }
    }

    /// The request as messages.
    var messages: [Message] {
        switch self {
        case .generation(let request):
            if case .messages(let messages, _) = request.input { return messages }
        case .turns(let system, let user, _):
            return (system.map { [Message(.system, [.text($0)])] } ?? []) + user.map { Message(.user, [.text($0)]) }
        default: break
        }
        return [Message(.user, [.text(inputText)])]
    }

    /// Sampling options; `nil` if no tokens are sampled.
    var sampling: Sampling? {
        switch self {
        case .generation(let request): request.sampling
        case .turns(_, _, let sampling): sampling
        case .retrieval(let question): question.sampling
        case .agent(let question): question.sampling
        default: nil
        }
    }

    /// Name of the kind of request on screens.
    var kindName: String {
        switch self {
        case .generation: "generation"
        case .likelihood: "likelihood"
        case .rolling: "rolling"
        case .choice: "choice"
        case .turns: "turns"
        case .retrieval: "retrieval"
        case .agent: "agent"
        case .program: "program"
        case .recorded: "recorded"
        }
    }
}

extension Message {
    /// Text of the message without reasoning, tool calls, and attachments.
    var plainText: String {
        parts.compactMap { part in
            switch part {
            case .text(let text): text
            case .toolResult(let result): result.content
            default: nil
            }
        }.joined()
    }
}
