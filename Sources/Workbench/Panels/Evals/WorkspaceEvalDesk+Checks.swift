internal import Evals
internal import ModelLab

extension WorkspaceEvalDesk {
    func check(task: String) throws -> EvalTaskCheck {
        // Pairs of runs and questions of a corpus are made when they are run.
        if PreferencePlan.parse(task) != nil { return EvalTaskCheck(name: task, asksModel: true) }
        if TestSetPlan.parse(task) != nil { return EvalTaskCheck(name: task, asksModel: true) }
        let tasks = try TaskFormats.load(task, TaskLoading(workspace: workspace, limit: 1))
        let asksModel =
            tasks.isEmpty
            || tasks.contains { one in
                one.samples.contains { if case .recorded = $0.request { false } else { true } }
            }
        let judged = Set(Scorers.kinds.filter(\.needsJudge).map(\.name))
        return EvalTaskCheck(
            name: tasks.first?.name ?? task, asksModel: asksModel,
            asksJudge: tasks.contains { $0.scorers.contains { judged.contains($0.kind) } })
    }

    func models() throws -> [ModelEntry] { try ModelHouse(workspace).registry.entries() }

    func check(model: String) throws { _ = try ModelHouse(workspace).specification(of: model) }
}
