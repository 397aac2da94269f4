internal import LanguageModels
internal import Traces
public import Workspace

/// Keeps runs of pipelines as traces of a workspace.
public struct RetrievalTraceRecorder: Sendable {
    private let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Brings a run into the workspace, spans and calls of models; after this they are on the disk.
    ///
    /// - Returns: The trace's id, by which it is found in the workspace.
    /// - Throws: `RetrievalError` where it could not be kept.
    @discardableResult
    public func record(_ traced: TracedRecord) throws(RetrievalError) -> String {
        let trace = RetrievalTrace(traced)
        var corpus: String?
        if case .pipeline(_, _, let name) = traced.record.origin { corpus = name }
        let keeper = SpanKeeper(workspace, origin: .retrieval, project: corpus)
        for spans in [trace.spans] + trace.calls.map({ [$0] }) {
            keeper.keep(spans)
            if let problem = keeper.problem {
                throw RetrievalError(
                    "the trace of \(traced.record.query.prefix(40))",
                    problem: problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
            }
        }
        return trace.id
    }
}
