internal import LanguageModels
internal import ModelLab
internal import Presentation

/// A session with its answers and the visible answer.
struct OpenSession: Sendable {
    var session: Session
    /// Prompt of the next answer.
    var draft: PromptDocument
    var answers: [GenerationSummary]
    /// Visible answer; `nil` if only the prompt is visible.
    var answer: Generation?

    /// Whether the session came with the sample workspace. A renamed session is the user's own.
    var isSample: Bool { SampleTexts.recordings.contains { $0.title == session.title } }

    /// Whether the draft differs from the prompt of the visible answer, apart from the model of a recorded answer.
    var isDraftChanged: Bool {
        guard let answer else { return false }
        return answer.outcome.state == .recorded
            ? answer.document.input != draft.input : answer.document != draft
    }

    /// Returns a draft that continues the conversation of the visible answer: its prompt, the answer, and the new
    /// message.
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
                // Ask an unanswered question again.
                messages.removeLast()
            }
            messages.append(Message(.user, [.text(text)]))
            document.input = .messages(messages, tools: tools)
        }
        return document
    }
}
