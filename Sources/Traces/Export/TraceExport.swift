internal import JSON
internal import LanguageModels

/// A step or a run as a document: Markdown for people, JSON for programs.
///
/// Both are written piece by piece, so that a run of any length takes the memory of its largest step.
public struct TraceExport: Sendable {
    public enum Format: String, CaseIterable, Sendable {
        case markdown = "md"
        case json

        /// The format that a file's suffix asks for; Markdown where it asks for none.
        public init(path: String) {
            self = path.hasSuffix(".json") ? .json : .markdown
        }
    }

    let store: TraceStore
    let replay: Replay

    public init(_ replay: Replay, store: TraceStore) {
        self.replay = replay
        self.store = store
    }

    /// Writes one step: what is new in what the model saw, what it answered, what a tool was asked and gave back.
    public func write(
        span: Int, as format: Format, to output: (String) throws -> Void
    ) throws {
        let step = try Step(replay.trace.spans[span], replay: replay, store: store)
        switch format {
        case .markdown: try output(step.markdown(level: 1))
        case .json: try output(step.json(.pretty) + "\n")
        }
    }

    /// Writes a run: its totals, then every step in order.
    ///
    /// - Parameter progress: called with the number of steps written; throw from it to stop.
    public func writeRun(
        as format: Format, to output: (String) throws -> Void, progress: (Int) throws -> Void = { _ in }
    ) throws {
        switch format {
        case .markdown: try output(heading)
        case .json:
            let head = replay.trace.summary.json()
            try output(String(head.dropLast()) + ",\"steps\":[")
        }
        for (index, span) in replay.steps.enumerated() {
            try progress(index)
            let step = try Step(replay.trace.spans[span], replay: replay, store: store)
            switch format {
            case .markdown: try output("\n" + step.markdown(level: 2))
            case .json: try output((index == 0 ? "\n" : ",\n") + step.json(.compact))
            }
        }
        if format == .json { try output("\n]}\n") }
    }

    private var heading: String {
        let run = replay.trace.summary
        var lines = ["# \(run.name)", "", "| | |", "|---|---|"]
        lines.append("| run | `\(run.externalID)` (\(run.format)) |")
        if let origin = run.origin { lines.append("| from | \(origin) |") }
        if let model = run.model { lines.append("| model | \(model) |") }
        lines.append("| steps | \(run.modelCalls) model calls, \(run.toolCalls) tool calls, \(run.errors) failed |")
        lines.append("| tokens | \(run.usage.input) in (\(run.usage.cacheRead) cached), \(run.usage.output) out |")
        if let cost = run.cost {
            let cents = Int((cost * 10_000).rounded())
            lines.append("| cost | $\(Double(cents) / 10_000)\(run.unpriced > 0 ? " or more" : "") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
