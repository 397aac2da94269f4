internal import LanguageModels
internal import ModelLab

/// A session with its answers, and the one that is shown.
struct OpenSession: Sendable {
    var session: Session
    /// What is asked next.
    var draft: PromptDocument
    var answers: [GenerationSummary]
    /// nil while the prompt alone is looked at.
    var answer: Generation?

    /// Whether the session came with the sample workspace. A renamed session is the user's own.
    var isSample: Bool { SampleTexts.recordings.contains { $0.title == session.title } }

    /// Whether the draft differs from what the shown answer was asked; who is asked is another matter where the answer
    /// was recorded.
    var isDraftChanged: Bool {
        guard let answer else { return false }
        return answer.outcome.state == .recorded
            ? answer.document.input != draft.input : answer.document != draft
    }

    /// The draft that goes on with the conversation of the shown answer: what was asked, what was answered, and what is
    /// said now.
    func continued(saying text: String) -> PromptDocument {
        var document = draft
        switch document.input {
        case .tokens: document.input = .text(text)
        case .text: document.input = .text(text)
        case .messages(var messages, let tools):
            if let answer, answer.document.input == document.input, answer.outcome.state != .failed {
                var parts: [Message.Part] = answer.reasoning.isEmpty ? [] : [.reasoning(answer.reasoning)]
                if !answer.text.isEmpty { parts.append(.text(answer.text)) }
                parts += answer.toolCalls.map(Message.Part.toolCall)
                messages.append(Message(.assistant, parts))
            } else if messages.last?.role == .user {
                // A question that was not answered is asked anew.
                messages.removeLast()
            }
            messages.append(Message(.user, [.text(text)]))
            document.input = .messages(messages, tools: tools)
        }
        return document
    }
}
