internal import TrainingLab
internal import Workspace

extension TrainingPanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let store = engine.store
        return { _ in
            guard let id = reference.path.first, let run = try store.run(id) else {
                return .nothing("the run is no longer in the workspace")
            }
            return .shows("the curves of \(run.name)")
        }
    }
}
