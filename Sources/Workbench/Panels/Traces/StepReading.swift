internal import Console
internal import LanguageModels
internal import Traces

/// What the detail pane shows of one span: read from the records by the engine, then only scrolled.
struct StepReading: Sendable {
    /// How a step is read.
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

    var span: Int
    var view: View
    /// What the pane's border says.
    var titles: [String]
    var sections: [TextSection]
    /// The section that a reader wants first: what is new.
    var firstNew: Int
    var breakdown: ContextBreakdown?
    /// What `y` copies, and what it is called.
    var copyText: String
    var copyName: String
}

extension StepReading {
    /// Reads a span in one of the views.
    init(
        of span: Span, in replay: Replay, store: TraceStore, view: View, showsAll: Bool, isWanted: () -> Bool
    ) throws {
        self.span = span.ordinal
        self.view = view
        titles = Self.titles(of: span)
        sections = []
        firstNew = 0
        copyText = ""
        copyName = "text"
        breakdown = replay.step(of: span.ordinal).flatMap { replay.breakdown(at: $0) }
        if let told = breakdown, told[.notInLog] > 0, span.kind == .model {
            // Models in this process alone tell the numbers of tokens, and read nothing but their messages.
            let inside = try store.inside(of: span)
            if inside.steps.contains(where: { $0.id != nil }) || !inside.prompt.isEmpty { breakdown = told.whole }
        }
        switch view {
        case .conversation:
            let text = try ConversationText(of: span, in: replay, store: store, showsAll: showsAll, isWanted: isWanted)
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
        if let usage = span.usage { titles.append("\(Format.count(usage.output)) tokens") }
        if let duration = span.duration { titles.append(Format.duration(nanoseconds: Int(duration))) }
        if let usage = span.usage, usage.input > 0, usage.cacheRead > 0 {
            titles.append("cached \(Format.percent(Double(usage.cacheRead) / Double(usage.input)))")
        }
        if let cost = span.cost { titles.append(Format.money(cost)) }
        return titles
    }
}
