internal import LanguageModels
public import System
internal import Traces
public import Workspace

/// Keeps runs of pipelines as traces of a workspace.
public struct RetrievalTraceRecorder: Sendable {
    private let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Records the spans and model calls of a run, which are on disk when the function returns.
    ///
    /// - Returns: The trace's ID in the workspace.
    /// - Throws: `Problem` if the run could not be recorded.
    @discardableResult
    public func record(_ traced: TracedRecord) throws(Problem) -> String {
        let trace = RetrievalTrace(traced)
        var corpus: String?
        if case .pipeline(_, _, let name) = traced.record.origin { corpus = name }
        let keeper = SpanKeeper(workspace, origin: .retrieval, project: corpus)
        for spans in [trace.spans] + trace.calls.map({ [$0] }) {
            keeper.keep(spans)
            if let problem = keeper.problem {
                throw Problem(.failed, "the trace of \(traced.record.query.prefix(40))", problem)
            }
        }
        return trace.id
    }
}
