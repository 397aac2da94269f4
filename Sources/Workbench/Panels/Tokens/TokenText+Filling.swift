internal import Console
internal import Formatting
internal import LanguageModels
internal import ModelLab

extension TokenText {
    mutating func fill(with answer: Generation, coloring: TokenColoring) {
        if answer.prompt.isEmpty {
            fill(with: answer.document)
        } else {
            for (index, token) in answer.prompt.enumerated() {
                append(.init(piece: .prompt(index), text: token.text, role: coloring.role(of: token)))
            }
        }
        if answer.prompt.isEmpty, case .messages = answer.document.input { append("assistant\n", .heading) }
        if !answer.reasoning.isEmpty { append("thinking: " + answer.reasoning + "\n", .quote) }
        append(answer.steps, from: 0, coloring: coloring, median: answer.medianSeconds)
        for call in answer.toolCalls { append("\n▸ \(call.name)(\(call.arguments))", .function) }
        if let problem = answer.outcome.problem { append((answer.steps.isEmpty ? "" : "\n\n") + problem, .failure) }
        if let silence = answer.silence(Format.probability) {
            append((answer.prompt.isEmpty ? "" : "\n") + silence, .warning)
        }
    }

    /// Appends steps of an answer.
    ///
    /// - Parameter first: Index of the first step in the answer.
    mutating func append(_ steps: [TokenStep], from first: Int, coloring: TokenColoring, median: Double?) {
        for (index, step) in steps.enumerated() {
            let role = coloring.role(of: step, medianSeconds: median) ?? .text
            append(.init(piece: .step(first + index), text: step.text, role: role))
        }
    }

    /// Fills in a prompt without known tokens, as messages.
    mutating func fill(with document: PromptDocument) {
        switch document.input {
        case .text(let content): append(content, .dim)
        case .tokens(let ids): append(ids.map(String.init).joined(separator: " "), .dim)
        case .messages(let messages, let tools):
            for tool in tools { append("tool \(tool.name)\n", .function) }
            for message in messages {
                append(message.role.name + "\n", .heading)
                for part in message.parts { append(part.shown + "\n\n", part.isText ? .text : .dim) }
            }
        }
    }

    private mutating func append(_ label: String, _ role: Console.Role) {
        append(.init(piece: .label, text: label, role: role))
    }

    mutating func recolor(_ answer: Generation, by coloring: TokenColoring) {
        let median = answer.medianSeconds
        color { item in
            switch item.piece {
            case .prompt(let index) where answer.prompt.indices.contains(index):
                coloring.role(of: answer.prompt[index])
            case .step(let index) where answer.steps.indices.contains(index):
                coloring.role(of: answer.steps[index], medianSeconds: median) ?? .text
            default: item.role
            }
        }
    }
}

extension Message.Part {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    /// Visible text of the part.
    fileprivate var shown: String {
        switch self {
        case .text(let text): text
        case .reasoning(let text): "thinking: " + text
        case .toolCall(let call): "▸ \(call.name)(\(call.arguments))"
        case .toolResult(let result): "◂ " + result.content
        case .attachment(let attachment): "[\(attachment.mediaType), \(Format.bytes(attachment.byteCount))]"
        case .other(let type, _): "[\(type)]"
        }
    }
}
