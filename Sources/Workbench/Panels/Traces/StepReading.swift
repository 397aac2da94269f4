internal import Console
internal import Formatting
internal import LanguageModels
internal import Traces
internal import Workspace

/// Content of the detail pane for one span, which the engine reads once.
struct StepReading: Sendable {
    /// Views of a step.
    enum View: String, CaseIterable, Sendable {
        case conversation, json, raw

        var title: String {
            switch self {
            case .conversation: "conversation"
            case .json: "JSON"
            case .raw: "raw record"
            }
        }
    }

    /// A step to read.
    struct Question: Equatable, Sendable {
        let span: Span
        let replay: Replay
        let view: View
        /// Whether to show the messages of earlier steps.
        let showsAll: Bool

        /// A run that has grown since has more spans.
        private var key: [Int64] {
            [replay.trace.summary.id, Int64(replay.trace.spans.count), Int64(span.ordinal), showsAll ? 1 : 0]
        }

        static func == (one: Question, other: Question) -> Bool { one.key == other.key && one.view == other.view }
    }

    let span: Int
    let view: View
    /// Labels on the pane's border.
    var titles: [String]
    var sections: [TextSection]
    /// First section with new content.
    var firstNew: Int
    var breakdown: ContextBreakdown?
    /// The largest messages of the context, largest first.
    var largest: [LargeMessage] = []
    /// Text that `y` copies; `copyName` names it in the message.
    var copyText: String
    var copyName: String
}

extension StepReading {
    /// A message of a context, with its size.
    struct LargeMessage: Hashable, Sendable {
        /// Size of its texts in bytes.
        var bytes: Int
        /// The step that wrote the message, or its role.
        var place: String
        var title: String
        /// The part of the context that most of it belongs to.
        var part: ContextBreakdown.Part
    }

    private static let mostLargeMessages = 16

    /// Returns the largest messages that the model read at a step. O(messages read).
    private static func largest(at step: Int, of replay: Replay) -> [LargeMessage] {
        let messages = replay.context(at: step).messages
        let sized = messages.map { (entry: $0, bytes: $0.extent.bytes) }.filter { $0.bytes > 0 }
        return sized.sorted { ($1.bytes, $0.entry.ordinal) < ($0.bytes, $1.entry.ordinal) }
            .prefix(mostLargeMessages).map { entry, bytes in
                let span = entry.span.flatMap { replay.trace.spans.indices.contains($0) ? replay.trace.spans[$0] : nil }
                let own = span.flatMap { span in replay.step(of: span.ordinal).map { (span, $0) } }
                let source = entry.role == .assistant || entry.role == .tool ? own : nil
                return LargeMessage(
                    bytes: bytes, place: source.map { "step \(Format.count($0.1 + 1))" } ?? entry.role.name,
                    title: entry.marks.contains(.compaction)
                        ? "summary of earlier messages"
                        : source.map { SpanLabel($0.0).text } ?? entry.extent.title, part: entry.extent.part(entry.role)
                )
            }
    }

    /// Reads a span in one of the views.
    init(of question: Question, store: TraceStore, cancellation: Cancellation) throws {
        let (span, replay) = (question.span, question.replay)
        self.span = span.ordinal
        view = question.view
        titles = Self.titles(of: span)
        sections = []
        firstNew = 0
        copyText = ""
        copyName = "text"
        if let step = replay.step(of: span.ordinal) {
            breakdown = try store.context(at: step, of: replay)
            largest = Self.largest(at: step, of: replay)
        }
        switch view {
        case .conversation:
            let text = try ConversationText(of: question, store: store, cancellation: cancellation)
            sections = text.sections
            firstNew = text.firstNew
            copyText = text.copyText
            copyName = text.copyName
        case .json, .raw:
            let records = try RecordText(of: span, in: replay, store: store, pretty: view == .json)
            sections = records.sections
            copyText = records.text
            copyName = view.title
        }
    }

    private static func titles(of span: Span) -> [String] {
        var titles: [String] = []
        if let usage = span.usage { titles.append("\(Format.count(usage.output)) output tokens") }
        if let duration = span.duration { titles.append(Format.duration(nanoseconds: Int(duration))) }
        if let usage = span.usage, usage.input > 0, usage.cacheRead > 0 {
            titles.append("cached \(Format.percent(usage.cacheRead, of: usage.input))")
        }
        if let cost = span.cost { titles.append(Format.money(cost)) }
        return titles
    }
}

extension MessageEntry.Extent {
    /// Size of all its texts in bytes.
    fileprivate var bytes: Int { text + reasoning + toolCalls + toolResults + toolDefinitions }

    /// Returns the part of the context that most of the content belongs to.
    fileprivate func part(_ role: LanguageModels.Role) -> ContextBreakdown.Part {
        let parts: [(ContextBreakdown.Part, Int)] = [
            (role == .system ? .system : role == .assistant ? .model : .user, text), (.results, toolResults),
            (.tools, toolDefinitions), (.model, toolCalls), (.reasoning, reasoning),
        ]
        return parts.max { $0.1 < $1.1 }?.0 ?? .user
    }

    /// Description of the content, for messages that no step wrote.
    fileprivate var title: String {
        if toolDefinitions > text { return "tool definitions" }
        if toolResults > text { return "tool results" }
        return attachments > 0 ? "text and attachments" : "text"
    }
}
