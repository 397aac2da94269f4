import JSON
import LanguageModels

/// The messages of a model call, wherever its convention put them. Nodes live until the next call of `read`.
///
/// Numbers as `MessageEntry.index` counts them: inputs from 0, outputs behind them, system instructions -1,
/// definitions of tools -2.
final class OTLPMessages {
    static let instructionsIndex = -1
    static let definitionsIndex = -2

    private(set) var inputs: [RecordedMessage] = []
    private(set) var outputs: [RecordedMessage] = []
    private(set) var instructions: RecordedMessage?
    private(set) var definitions: RecordedMessage?
    private let documents = ScratchDocuments()
    private var eventAttributes = OTLPAttributes()

    var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty && instructions == nil && definitions == nil }

    /// Start of the generation: its first text, or its first tool call.
    var answerCaption: String? {
        if let text = outputs.lazy.compactMap(\.firstText).first.flatMap(Caption.of(_:)) { return text }
        return outputs.lazy.compactMap(\.firstCall).first
    }

    /// Reads the attributes of a span or log record, and the events of a span.
    func read(_ attributes: OTLPAttributes, events: JSONNode?) {
        documents.reset()
        inputs = firstFound(attributes, events, Self.inputSources, .user)
        outputs = firstFound(attributes, events, Self.outputSources, .assistant)
        instructions = attributes[.systemInstructions].flatMap { readInstructions($0) }
        definitions = readDefinitions(attributes)
    }

    /// Reads the event of a message: `gen_ai.user.message` and its siblings, `gen_ai.choice`.
    ///
    /// - Parameters:
    ///   - content: The event's attributes, or the body of a log record.
    /// - Returns: Whether the event is one of these.
    func read(event name: JSONNode?, _ attributes: JSONNode?, body: JSONNode?) -> Bool {
        documents.reset()
        inputs = []
        outputs = []
        instructions = nil
        definitions = nil
        guard let kind = EventKind(name) else { return false }
        let message = self.message(kind, attributes, body: body)
        if kind == .choice { outputs = [message] } else { inputs = [message] }
        return true
    }

    /// The value of the JSON in a string that belongs to no message; `nil` if there is none, or too much of it.
    func parse(_ text: OTLPValue) -> JSONNode? {
        guard text.isString, text.quotedLength <= 64 << 10 else { return nil }
        documents.reset()
        return documents.parse(text)
    }

    /// The message with a number.
    func message(at index: Int) -> RecordedMessage? {
        switch index {
        case Self.instructionsIndex: instructions
        case Self.definitionsIndex: definitions
        case 0..<inputs.count: inputs[index]
        case inputs.count..<(inputs.count + outputs.count): outputs[index - inputs.count]
        default: nil
        }
    }

    // MARK: - Where messages are found, in the order in which conventions are believed

    private enum Source {
        case attribute(OTLPMeaning)
        case list(OTLPList)
        case events([EventKind])
        case vercelAnswer
    }

    private static let inputSources: [Source] = [
        .attribute(.inputMessages), .list(.openInferenceInput), .attribute(.legacyPrompt), .list(.legacyPrompt),
        .events([.system, .user, .assistant, .tool]), .attribute(.vercelPrompt), .list(.prompts),
    ]

    private static let outputSources: [Source] = [
        .attribute(.outputMessages), .list(.openInferenceOutput), .attribute(.legacyCompletion),
        .list(.legacyCompletion), .events([.choice]), .vercelAnswer, .list(.choices),
    ]

    private func firstFound(
        _ attributes: OTLPAttributes, _ events: JSONNode?, _ sources: [Source], _ role: Role
    ) -> [RecordedMessage] {
        for source in sources {
            let found: [RecordedMessage]
            switch source {
            case .attribute(let meaning): found = attributes[meaning].map { listed($0, role) } ?? []
            case .list(let list):
                found = attributes.items.isEmpty ? [] : RecordedMessage.flattened(attributes.items, list, role: role)
            case .events(let kinds): found = events.map { messages(of: kinds, in: $0) } ?? []
            case .vercelAnswer: found = vercelAnswer(attributes)
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The messages of an attribute: an array's objects, one object, or one text.
    private func listed(_ value: OTLPValue, _ role: Role) -> [RecordedMessage] {
        let value = parsed(value) ?? value
        switch value.shape {
        case .null: return []
        case .array:
            var messages: [RecordedMessage] = []
            value.forEachElement { element in
                if element.shape == .object { messages.append(message(element, role)) }
            }
            return messages
        case .object: return [message(value, role)]
        default: return value.textLength == 0 ? [] : [RecordedMessage(role: role, parts: [.text(value)])]
        }
    }

    private func message(_ value: OTLPValue, _ role: Role) -> RecordedMessage {
        var message = RecordedMessage(value, role: role) { self.parsed($0) }
        // An object in which no convention was recognized is shown as it is.
        if message.parts.isEmpty, value.member("role") == nil, value.member("message") == nil {
            message.parts.append(.other(type: nil, value))
        }
        return message
    }

    /// The JSON inside a string; `nil` for anything else.
    private func parsed(_ value: OTLPValue) -> OTLPValue? { documents.parse(value).map { .plain($0) } }

    private func readInstructions(_ value: OTLPValue) -> RecordedMessage? {
        let value = parsed(value) ?? value
        var message = RecordedMessage(role: .system)
        switch value.shape {
        case .array: value.forEachElement { message.append(block: $0) }
        case .null: break
        default: if value.textLength > 0 { message.append(block: value) }
        }
        message.role = .system
        return message.parts.isEmpty ? nil : message
    }

    private func readDefinitions(_ attributes: OTLPAttributes) -> RecordedMessage? {
        var message = RecordedMessage(role: .system)
        if let value = attributes[.toolDefinitions] {
            let value = parsed(value) ?? value
            if value.shape == .array {
                value.forEachElement { message.parts.append(.definition($0)) }
            } else if value.textLength > 0 {
                message.parts.append(.definition(value))
            }
        }
        if message.parts.isEmpty {
            let items = attributes.items.filter { $0.list == .tools }
            for item in items.enumerated().sorted(by: { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) })
            {
                message.parts.append(.definition(item.element.value))
            }
        }
        return message.parts.isEmpty ? nil : message
    }

    private func vercelAnswer(_ attributes: OTLPAttributes) -> [RecordedMessage] {
        let texts = [OTLPMeaning.vercelText, .vercelObject].compactMap { attributes[$0] }.filter { $0.textLength > 0 }
        let calls = attributes[.vercelToolCalls].flatMap { $0.textLength > 0 ? $0 : nil }
        guard !texts.isEmpty || calls != nil else { return [] }
        var message = RecordedMessage(role: .assistant)
        if let thought = attributes[.vercelReasoning], thought.textLength > 0 {
            message.parts.append(.reasoning(thought))
        }
        message.parts += texts.map { .text($0) }
        if let calls { message.append(calls: parsed(calls) ?? calls) }
        return [message]
    }
}

// MARK: - Messages as events

/// The events that hold a message each.
enum EventKind {
    case system, user, assistant, tool, choice

    init?(_ name: JSONNode?) {
        guard let name else { return nil }
        let names: [(StaticString, EventKind)] = [
            ("gen_ai.user.message", .user), ("gen_ai.assistant.message", .assistant), ("gen_ai.tool.message", .tool),
            ("gen_ai.system.message", .system), ("gen_ai.choice", .choice),
        ]
        guard let kind = names.first(where: { name.equals($0.0) })?.1 else { return nil }
        self = kind
    }

    var role: Role {
        switch self {
        case .system: .system
        case .user: .user
        case .assistant, .choice: .assistant
        case .tool: .tool
        }
    }
}

extension OTLPMessages {
    private func messages(of kinds: [EventKind], in events: JSONNode) -> [RecordedMessage] {
        var messages: [RecordedMessage] = []
        events.forEachElement { event in
            guard let kind = EventKind(event["name"]), kinds.contains(kind) else { return }
            messages.append(message(kind, event["attributes"], body: nil))
        }
        return messages
    }

    private func message(_ kind: EventKind, _ attributes: JSONNode?, body: JSONNode?) -> RecordedMessage {
        guard let list = attributes ?? body else { return RecordedMessage(role: kind.role) }
        var value = OTLPValue.pairs(list)
        if let body, OTLPValue.wrapped(body).shape != .null {
            value = .wrapped(body)
        } else if let content = value.member("gen_ai.event.content", or: "message") {
            value = parsed(content) ?? content
        }
        if value.shape == .string { return RecordedMessage(role: kind.role, parts: [.text(value)]) }
        var message = RecordedMessage(value, role: kind.role) { self.parsed($0) }
        if kind != .choice { message.role = kind.role }
        return message
    }
}
