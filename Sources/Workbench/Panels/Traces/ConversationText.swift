internal import Console
internal import Formatting
internal import LanguageModels
internal import Traces
internal import Workspace

/// A step as readable text: what the model saw, with new messages marked, and its answer; or the input and output of a
/// tool.
struct ConversationText {
    private(set) var sections: [TextSection] = []
    private(set) var firstNew = 0
    private(set) var copyText = ""
    private(set) var copyName = "text"

    private static let newMargin = StyledLine("▌ ", .new)
    private static let knownMargin = StyledLine("  ", .dim)

    init(of question: StepReading.Question, store: TraceStore, cancellation: Cancellation) throws {
        let (span, replay) = (question.span, question.replay)
        switch span.kind {
        case .model: try readCall(question, store: store, cancellation: cancellation)
        default: try readSpan(span, in: replay, store: store)
        }
        try readEvents(of: span, in: replay, store: store)
        if sections.isEmpty { note("only the timing of this step was recorded") }
    }

    // MARK: Model calls

    private mutating func readCall(
        _ question: StepReading.Question, store: TraceStore, cancellation: Cancellation
    ) throws {
        let (span, replay) = (question.span, question.replay)
        let context = replay.step(of: span.ordinal).map { replay.context(at: $0) }
        let messages = context?.messages ?? []
        let known = context?.known ?? 0
        let shown = question.showsAll ? messages[...] : messages[known...]
        let hidden = messages.count - shown.count
        if messages.isEmpty {
            note("the messages that the model saw were not recorded")
        } else if hidden > 0 {
            note(
                "\(Format.count(hidden, "earlier message")) hidden. Press a to show \(hidden == 1 ? "it" : "them")."
            )
        }
        for (index, (entry, message)) in try zip(shown, store.messages(Array(shown))).enumerated() {
            try cancellation.check()
            let isNew = index + hidden >= known
            if isNew, firstNew == 0 { firstNew = sections.count }
            add(message, entry: entry, margin: isNew ? Self.newMargin : Self.knownMargin)
        }
        let answers = replay.messages(of: span.ordinal).filter { $0.role == .assistant }
        heading("answered", .accent, detail: span.model ?? "")
        if let error = span.error { failure(error) }
        for (entry, message) in try zip(answers, store.messages(answers)) {
            add(message, entry: entry, margin: Self.knownMargin, isAnswer: true)
        }
        if answers.isEmpty, span.error == nil { note("the answer was not recorded") }
    }

    // MARK: Tools, retrievals and the rest

    private mutating func readSpan(_ span: Span, in replay: Replay, store: TraceStore) throws {
        let details = try store.details(of: span)
        heading("\(span.kind.name) \(span.name)", .accent, detail: span.status == .error ? "failed" : "")
        if let error = span.error {
            failure(error)
            sections.append(TextSection(StyledLine(""), margin: Self.knownMargin))
        }
        if let input = details.input {
            copyText = ToolText.plainest(input)
            copyName = span.kind == .tool ? "the command" : "the input"
            add(contentsOf: ToolText.arguments(input, margin: Self.knownMargin))
        }
        if let output = details.output {
            heading("returned", span.status == .error ? .failure : .success, detail: Format.bytes(output.utf8.count))
            sections.append(TextSection(output, language: Language(guessing: output), margin: Self.knownMargin))
            if copyText.isEmpty { copyText = output }
        }
        for attribute in details.attributes {
            let line = StyledLine([.init("\(attribute.name)  ", .dim), .init(attribute.value)])
            sections.append(TextSection(line, margin: Self.knownMargin))
        }
    }

    private mutating func readEvents(of span: Span, in replay: Replay, store: TraceStore) throws {
        let events = replay.trace.events.filter { $0.span == span.ordinal }
        guard !events.isEmpty else { return }
        heading("events", .dim, detail: Format.count(events.count))
        for event in events.prefix(50) {
            let offset = Format.duration(nanoseconds: Int(max(0, event.time - span.start)))
            let role: Console.Role = event.kind == .error ? .failure : .dim
            sections.append(
                TextSection(
                    StyledLine([.init("+\(offset)  ", .dim), .init(try store.sentence(of: event), role)]),
                    margin: Self.knownMargin))
        }
        if events.count > 50 { note("\(Format.count(events.count - 50)) more in the raw record") }
    }

    // MARK: Pieces

    private mutating func add(_ message: Message?, entry: MessageEntry, margin: StyledLine, isAnswer: Bool = false) {
        guard let message else { return note("message not recorded") }
        if !isAnswer {
            let title = entry.marks.contains(.compaction) ? "summary of earlier messages" : message.role.name
            heading(
                title, .heading, detail: entry.marks.contains(.injected) ? "added by the program" : "", margin: margin)
        }
        for part in message.parts { add(part, margin: margin, isAnswer: isAnswer) }
    }

    private mutating func add(_ part: Message.Part, margin: StyledLine, isAnswer: Bool) {
        switch part {
        case .text(let text):
            guard !text.trimmed.isEmpty else { return }
            sections.append(TextSection(text, language: .markdown, margin: margin))
            if isAnswer {
                copyText = text
                copyName = "the answer"
            }
        case .reasoning(let text):
            sections.append(TextSection(StyledLine("thinking", .dim, .italic), margin: margin))
            let shown = text.isEmpty ? "(not reported by the provider)" : text
            sections.append(TextSection(shown, role: .comment, margin: margin))
        case .toolCall(let call):
            sections.append(
                TextSection(StyledLine([.init("▸ ", .accent), .init(call.name, .function)]), margin: margin))
            add(contentsOf: ToolText.arguments(call.arguments, margin: margin))
            if isAnswer, copyText.isEmpty {
                copyText = ToolText.plainest(call.arguments)
                copyName = "the command"
            }
        case .toolResult(let result):
            let role: Console.Role = result.isError ? .failure : .text
            sections.append(
                TextSection(result.content, language: Language(guessing: result.content), role: role, margin: margin))
        case .attachment(let file):
            let size = file.byteCount > 0 ? " \(Format.bytes(file.byteCount))" : ""
            note("\(file.mediaType)\(size) \(file.location ?? "")")
        case .other(_, let json) where ToolText.definition(json) != nil:
            guard let tool = ToolText.definition(json) else { return }
            let line = StyledLine([.init("tool ", .dim), .init(tool.name, .function), .init("  \(tool.purpose)", .dim)])
            sections.append(TextSection(line, margin: margin))
        case .other(let type, let json):
            note("content of type \(type)")
            sections.append(TextSection(json, language: .json, margin: margin))
        }
    }

    private mutating func add(contentsOf parts: [TextSection]) { sections += parts }

    private mutating func heading(
        _ title: String, _ role: Console.Role, detail: String, margin: StyledLine = StyledLine("  ", .dim)
    ) {
        if !sections.isEmpty { sections.append(TextSection(StyledLine(""), margin: margin)) }
        var line = StyledLine(title, role, .bold)
        if !detail.isEmpty { line.append("  \(detail)", .dim) }
        sections.append(TextSection(line, margin: margin))
    }

    private mutating func note(_ text: String) {
        sections.append(TextSection(StyledLine(text, .dim, .italic), margin: Self.knownMargin))
    }
    private mutating func failure(_ text: String) {
        sections.append(TextSection(text, role: .failure, margin: Self.knownMargin))
    }
}
