internal import LanguageModels
public import Traces
public import Workspace

/// Makes traces of samples: the recorded steps of a sample are imported once, on request.
public struct SampleTraces: Sendable {
    /// A sample's trace in the workspace.
    public struct Kept: Hashable, Sendable {
        /// Its head.
        public var summary: TraceSummary
        /// Ordinals of the spans of the sample's steps, in the order of `EvalSampleRecord.steps`; `nil` if a step has
        /// no span of its own.
        public var steps: [Int?]
        /// Ordinal of the failing span: the first with an error, or the last model call.
        public var failingSpan: Int?
    }

    private let store: TraceStore

    /// For a workspace that was opened with `TraceStore.migrations`.
    public init(_ workspace: Workspace) {
        store = TraceStore(workspace)
    }

    /// Returns the trace of a sample, imported if the workspace does not have it yet; `nil` if the log records no
    /// steps.
    ///
    /// - Parameter index: `EvalRow.index`.
    /// - Throws: `EvalLogError` if the log cannot be read or the trace cannot be stored; `WorkspaceError`.
    public func trace(of index: Int, in log: any EvalLog) throws -> Kept? {
        let record = try log.sample(index)
        if let id = record.trace, let summary = held(id) { return try kept(summary, record) }
        let spans = try log.spans(of: index)
        guard let id = spans.first?.trace, id.utf8.count == 32, id.allSatisfy(\.isHexDigit) else { return nil }
        // A log does not record that its trace was stored; the IDs of its spans show it.
        if let summary = held(id) { return try kept(summary, record) }
        let task = log.run.task
        let keeper = SpanKeeper(store.workspace, origin: .eval, project: task.isEmpty ? nil : task)
        keeper.keep(spans)
        var problem = keeper.problem
        if problem == nil {
            if let summary = held(id) { return try kept(summary, record) }
            problem = "the spans do not form a trace"
        }
        while problem?.last == "." { problem?.removeLast() }
        throw EvalLogError(
            path: log.run.path ?? log.run.name, place: record.row.id,
            problem: "cannot store the sample's trace: \(problem ?? "")")
    }

    /// The trace that goes by exactly this id.
    private func held(_ id: String) -> TraceSummary? {
        guard let summary = try? store.find(id), summary.externalID == id else { return nil }
        return summary
    }

    private func kept(_ summary: TraceSummary, _ record: EvalSampleRecord) throws -> Kept {
        let spans = try store.spans(of: summary.id)
        var rest = spans[...]
        // Steps and spans tell the same story in the same order; a step finds the next span of its kind.
        let steps = record.steps.map { step -> Int? in
            guard let place = rest.firstIndex(where: { $0.kind == step.kind }) else { return nil }
            defer { rest = rest[(place + 1)...] }
            return rest[place].ordinal
        }
        let failing =
            record.failingStep.flatMap { $0 < steps.count ? steps[$0] : nil }
            ?? spans.first { $0.status == .error && $0.parent != nil }?.ordinal
            ?? spans.last { $0.kind == .model }?.ordinal
        return Kept(summary: summary, steps: steps, failingSpan: failing)
    }
}
