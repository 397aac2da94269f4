internal import Formatting
internal import JSON
package import LanguageModels

/// A step or a run as a document: Markdown for people, JSON for programs.
///
/// Both are written piece by piece, so that a run of any length takes the memory of its largest step. In Markdown all
/// recorded text is quoted or fenced: nothing in it can change the document around it.
public struct TraceExport: Sendable {
    public enum Format: String, CaseIterable, Sendable {
        case markdown = "md"
        case json

        /// Creates the format for a file's suffix (default: Markdown).
        public init(path: String) {
            self = path.lowercased().hasSuffix(".json") ? .json : .markdown
        }
    }

    /// Where the texts of messages and spans come from.
    package struct Texts: Sendable {
        let messages: @Sendable ([MessageEntry]) throws -> [Message?]
        let details: @Sendable (Span) throws -> SpanDetails
        /// The context breakdown of a step.
        let context: @Sendable (Int) throws -> ContextBreakdown?

        package init(
            messages: @escaping @Sendable ([MessageEntry]) throws -> [Message?],
            details: @escaping @Sendable (Span) throws -> SpanDetails,
            context: @escaping @Sendable (Int) throws -> ContextBreakdown?
        ) {
            self.messages = messages
            self.details = details
            self.context = context
        }
    }

    let texts: Texts
    let replay: Replay

    /// Creates an export of a replay.
    public init(_ replay: Replay, store: TraceStore) {
        let texts = Texts(
            messages: { try store.messages($0) }, details: { try store.details(of: $0) },
            context: { try store.context(at: $0, of: replay) })
        self.init(replay, texts: texts)
    }

    package init(_ replay: Replay, texts: Texts) {
        self.replay = replay
        self.texts = texts
    }

    /// Writes one step: what is new in what the model saw, what it answered, what a tool was asked and gave back.
    ///
    /// Writes a span that is not a step in the form of a tool call: input and output.
    public func write(
        span: Int, as format: Format, to output: (String) throws -> Void
    ) throws {
        guard replay.trace.spans.indices.contains(span) else { return }
        let step = try Step(span, replay, texts)
        switch format {
        case .markdown: try output(step.markdown(level: 1))
        case .json: try output(step.json(.pretty) + "\n")
        }
    }

    /// Writes a run: its totals, then every step in order.
    ///
    /// In Markdown each message is written once, where it arose: an answer with its call, a result with its tool. In
    /// JSON each step is the same object that a step alone is.
    ///
    /// - Parameter progress: Called with the number of steps written; throw from it to stop.
    public func writeRun(
        as format: Format, to output: (String) throws -> Void, progress: (Int) throws -> Void = { _ in }
    ) throws {
        switch format {
        case .markdown: try output(heading)
        case .json: try output(String(replay.trace.summary.json().dropLast()) + ",\"steps\":[")
        }
        for (index, span) in replay.steps.enumerated() {
            try progress(index)
            let step = try Step(span, replay, texts, leavesOutSteps: format == .markdown)
            switch format {
            case .markdown: try output("\n" + step.markdown(level: 2))
            case .json: try output((index == 0 ? "\n" : ",\n") + step.json(.compact))
            }
        }
        if format == .json { try output("\n]}\n") }
        try progress(replay.count)
    }

    private var heading: String {
        let run = replay.trace.summary
        var lines = ["# \(Markdown.line(run.name.isEmpty ? run.externalID : run.name))", "", "| | |", "|---|---|"]
        lines.append("| run | \(Markdown.line(run.externalID)) (\(Markdown.line(run.format))) |")
        if let project = run.project { lines.append("| project | \(Markdown.line(project)) |") }
        if run.origin != .agent { lines.append("| origin | \(run.origin.name) |") }
        if let model = run.model { lines.append("| model | \(Markdown.line(model)) |") }
        lines.append("| duration | \(Formatting.Format.duration(nanoseconds: Int(run.duration))) |")
        lines.append("| steps | \(run.modelCalls) model calls, \(run.toolCalls) tool calls, \(run.errors) failed |")
        let (input, cached) = (Formatting.Format.count(run.usage.input), Formatting.Format.count(run.usage.cacheRead))
        lines.append("| tokens | \(input) in (\(cached) cached), \(Formatting.Format.count(run.usage.output)) out |")
        if let cost = run.cost {
            lines.append("| cost | \(Formatting.Format.money(cost))\(run.unpriced > 0 ? " or more" : "") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
