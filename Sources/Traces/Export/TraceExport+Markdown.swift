internal import Formatting
internal import LanguageModels

extension TraceExport.Step {
    func markdown(level: Int) -> String {
        let marks = String(repeating: "#", count: level)
        let caption = span.caption.map { ": " + $0 } ?? ""
        let title = Markdown.line("\(span.kind.name) \(span.name)\(caption)")
        let place = number.map { "\($0). " } ?? ""
        var document = StepDocument("\(marks) \(place)\(title)\(span.status == .error ? " (failed)" : "")")
        if !said.isEmpty { document.add("*\(said)*") }
        if let error = span.error { document.add("**failed:** \(Markdown.line(error))") }
        if span.kind == .model {
            if earlier > 0 { document.add("*\(Formatting.Format.count(earlier, "earlier message"))*") }
            for message in isNew { document.add(message, title: message?.role.name) }
            document.add("**answered**")
            for message in answers { document.add(message, title: nil) }
            if answers.isEmpty { document.add("*not in the log*") }
        } else {
            if let input = details.input { document.add(StepDocument.fenced(input)) }
            if let output = details.output {
                document.add("**returned**")
                document.add(StepDocument.fenced(output))
            }
        }
        return document.text
    }

    /// Model, time, tokens and cost, as far as they are known.
    private var said: String {
        var parts: [String] = []
        if span.kind == .model, let model = span.model, model != span.name { parts.append(Markdown.line(model)) }
        if let duration = span.duration { parts.append(Formatting.Format.duration(nanoseconds: Int(duration))) }
        if let usage = span.usage {
            parts.append(
                "\(Formatting.Format.count(usage.input)) tokens in, \(Formatting.Format.count(usage.output)) out")
        }
        if let cost = span.cost { parts.append(Formatting.Format.money(cost)) }
        return parts.joined(separator: ", ")
    }
}

/// The blocks of a step, in order.
private struct StepDocument {
    private var blocks: [String]
    /// Last speaker, because a generation may be written over several messages.
    private var speaker: String?
    private var isAfterThinking = false

    init(_ heading: String) { blocks = [heading] }

    var text: String { blocks.joined(separator: "\n\n") + "\n" }

    mutating func add(_ block: String) {
        blocks.append(block)
        isAfterThinking = false
    }

    /// - Parameter title: Role of the speaker; `nil` if it was already given.
    mutating func add(_ message: Message?, title: String?) {
        guard let message else { return add("*message not in the log*") }
        if let title, title != speaker || message.role != .assistant { add("**\(title)**") }
        speaker = title
        for part in message.parts { add(part) }
    }

    private mutating func add(_ part: Message.Part) {
        switch part {
        case .text(let text):
            if text.allSatisfy(\.isWhitespace) { return }
            // Both are quoted: what was thought and what was said must not run into each other.
            if isAfterThinking { add("*said*") }
            add(Markdown.quoted(text))
        case .reasoning(let text):
            add(text.isEmpty ? "*thinking, hidden by the provider*" : "*thinking*")
            if !text.isEmpty { add(Markdown.quoted(text)) }
            isAfterThinking = true
        case .toolCall(let call):
            add(Markdown.code(call.name))
            add(Self.fenced(call.arguments))
        case .toolResult(let result):
            if result.isError { add("*failed*") }
            add(Self.fenced(result.content))
        case .attachment(let file): add("*\(Markdown.line(file.mediaType + (file.location.map { " " + $0 } ?? "")))*")
        case .other(let type, let json):
            add("*\(type.isEmpty ? "other" : Markdown.line(type))*")
            add(Self.fenced(json))
        }
    }

    static func fenced(_ text: String) -> String {
        Markdown.fenced(text, language: Markdown.language(of: text))
    }
}
