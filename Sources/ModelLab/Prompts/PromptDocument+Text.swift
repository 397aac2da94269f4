internal import LanguageModels

extension PromptDocument {
    /// The document as a person edits it; `PromptDocument(stored:)` reads it back.
    public var text: String {
        var lines = ["--- settings", "model = \(model)"]
        for setting in PromptSetting.all(with: sampling.extraFields) {
            if let value = setting.value(in: self) { lines.append("\(setting.name) = \(value)") }
        }
        for (token, bias) in sampling.bias.sorted(by: { $0.key < $1.key }) { lines.append("bias.\(token) = \(bias)") }
        for stop in sampling.stop { lines.append("stop = \(Self.quoted(stop))") }
        for (name, value) in templateVariables.sorted(by: { $0.key < $1.key }) {
            lines.append("template.\(name) = \(value)")
        }
        switch input {
        case .text(let text): add("text", text, to: &lines)
        case .tokens(let ids): add("tokens", ids.map(String.init).joined(separator: " "), to: &lines)
        case .messages(let messages, let tools):
            for tool in tools {
                add(
                    "define \(HeadingWord.encode(tool.name)) \(tool.description.replacingLineBreaks)", tool.parameters,
                    to: &lines)
            }
            for message in messages { add(message, to: &lines) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func add(_ message: Message, to lines: inout [String]) {
        if message.parts.isEmpty { add(message.role.name, "", to: &lines) }
        for (index, part) in message.parts.enumerated() {
            // Parts of one message follow each other with `+`, so that they are one message again.
            let more = index == 0 ? "" : "+ "
            switch part {
            case .text(let text): add(more + message.role.name, text, to: &lines)
            case .reasoning(let text): add(more + message.role.name + " reasoning", text, to: &lines)
            case .toolCall(let call):
                add(
                    more + "\(message.role.name) call \(HeadingWord.encode(call.name)) \(HeadingWord.encode(call.id))",
                    call.arguments, to: &lines)
            case .toolResult(let result):
                let error = result.isError ? " failed" : ""
                add(
                    more + "\(message.role.name) result \(HeadingWord.encode(result.callID))\(error)", result.content,
                    to: &lines)
            case .attachment(let attachment):
                add(
                    more
                        + "\(message.role.name) attachment \(HeadingWord.encode(attachment.mediaType)) \(attachment.byteCount)",
                    attachment.location ?? "", to: &lines)
            case .other(let type, let json):
                add(more + "\(message.role.name) other \(HeadingWord.encode(type))", json, to: &lines)
            }
        }
    }

    private func add(_ heading: String, _ content: String, to lines: inout [String]) {
        lines.append("--- \(heading)")
        for line in content.split(separator: "\n", omittingEmptySubsequences: false) {
            let isMarked = line.drop { $0 == "\\" }.hasPrefix("---")
            lines.append(isMarked ? "\\" + line : String(line))
        }
    }

    static func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\n": "\\n"
                case "\t": "\\t"
                case "\r": "\\r"
                case "\"": "\\\""
                case "\\": "\\\\"
                default: String(scalar)
                }
            }.joined() + "\""
    }
}

extension String {
    /// The text on one line.
    fileprivate var replacingLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}
