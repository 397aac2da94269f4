import JSON
import LanguageModels

/// A message in place: its texts are nodes of the record, not copies.
struct RecordedMessage {
    enum Part {
        case text(OTLPValue)
        case reasoning(OTLPValue)
        case call(id: OTLPValue?, name: OTLPValue?, arguments: OTLPValue?)
        case result(id: OTLPValue?, content: OTLPValue?, failed: Bool)
        case attachment(mediaType: OTLPValue?, location: OTLPValue?, data: OTLPValue?)
        case definition(OTLPValue)
        case other(type: OTLPValue?, OTLPValue)
    }

    var role: Role
    var parts: [Part] = []

    /// The first text that it says.
    var firstText: OTLPValue? {
        for case .text(let value) in parts where value.isString && value.textLength > 0 { return value }
        return nil
    }

    /// The first tool that it asks for with its main argument, as a caption.
    var firstCall: String? {
        for case .call(_, let name, let arguments) in parts {
            guard let name = name.flatMap({ Caption.of(text: $0.text) }) else { continue }
            // Beyond a size the beginning of the text serves as well as its meaning.
            let argument = arguments.flatMap { value in
                value.textLength <= 64 << 10
                    ? Caption.of(arguments: value.text) : value.stringNode.flatMap(Caption.of(text:))
            }
            return "→ \(name)\(argument.map { " \($0)" } ?? "")"
        }
        return nil
    }

    /// Lengths of the parts, in UTF-8.
    var extent: MessageEntry.Extent {
        var extent = MessageEntry.Extent()
        for part in parts {
            switch part {
            case .text(let value): extent.text += value.textLength
            case .reasoning(let value): extent.reasoning += value.textLength
            case .call(_, let name, let arguments):
                extent.toolCalls += (name?.textLength ?? 0) + (arguments?.textLength ?? 0)
            case .result(_, let content, _): extent.toolResults += content?.textLength ?? 0
            case .attachment: extent.attachments += 1
            case .definition(let value): extent.toolDefinitions += value.textLength
            case .other(_, let value): extent.text += value.textLength
            }
        }
        return extent
    }

    /// A digest of who says what, the same for an answer and for its repetition in the input of the next call.
    func add(to digest: inout Digest) {
        digest.add(UInt64(role.rawValue))
        for part in parts {
            switch part {
            case .text(let value):
                digest.add(1)
                value.add(to: &digest)
            case .reasoning(let value):
                digest.add(2)
                value.add(to: &digest)
            case .call(let id, let name, let arguments):
                digest.add(3)
                for value in [id, name, arguments] { value?.add(to: &digest) }
            case .result(let id, let content, _):
                digest.add(4)
                for value in [id, content] { value?.add(to: &digest) }
            case .attachment(let mediaType, let location, let data):
                digest.add(5)
                for value in [mediaType, location, data] { value?.add(to: &digest) }
            case .definition(let value):
                digest.add(6)
                value.add(to: &digest)
            case .other(_, let value):
                digest.add(7)
                value.add(to: &digest)
            }
        }
    }

    /// The message with its texts.
    var message: Message {
        Message(
            role,
            parts.map { part in
                switch part {
                case .text(let value): .text(value.text)
                case .reasoning(let value): .reasoning(value.text)
                case .call(let id, let name, let arguments):
                    .toolCall(
                        ToolCall(id: id?.text ?? "", name: name?.text ?? "", arguments: arguments?.text ?? ""))
                case .result(let id, let content, let failed):
                    .toolResult(ToolResult(callID: id?.text ?? "", content: content?.text ?? "", isError: failed))
                case .attachment(let mediaType, let location, let data):
                    .attachment(
                        Attachment(
                            mediaType: mediaType?.text ?? "", location: location?.string,
                            byteCount: (data?.textLength ?? 0) / 4 * 3))
                case .definition(let value): .other(type: "tool definitions", json: value.text)
                case .other(let type, let value): .other(type: type?.text ?? "", json: value.text)
                }
            })
    }
}

extension Role {
    /// The role of a word that some format uses; `nil` for an unknown one.
    init?(recorded word: OTLPValue?) {
        guard let role = word?.string.flatMap({ Role.recordedWords[$0] }) else { return nil }
        self = role
    }

    private static let recordedWords: [String: Role] = [
        "user": .user, "assistant": .assistant, "system": .system, "tool": .tool, "human": .user, "ai": .assistant,
        "model": .assistant, "developer": .system, "function": .tool,
    ]
}
