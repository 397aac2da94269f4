internal import Workspace

extension EvalPanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let isSample = reference.kind == .evalSample
        return { _ in .shows(isSample ? "the sample with its steps and scores" : "the run with its samples") }
    }
}
