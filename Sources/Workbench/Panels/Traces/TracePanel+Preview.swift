internal import Console
internal import Formatting
internal import Traces
internal import Workspace

extension TracePanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let store = store
        return { _ in
            guard let id = reference.path.first, let run = try store.summary(id) else {
                return .nothing("the run is no longer in the workspace")
            }
            let spans = Format.count(run.spans, "span")
            guard reference.kind == .span, reference.path.count > 1 else {
                return .shows("\(spans), \(Format.count(run.errors, "error"))")
            }
            return .shows("this span among the \(spans) of \(run.name.truncated(toColumns: 40))")
        }
    }
}
