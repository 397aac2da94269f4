import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import System
import Workspace

/// Figures of a task group of the evaluation harness, with one set of runs for each model and point.
struct EvalGroupRuns {
    private let group: LMEvalGroup
    /// Sets of runs, one per model and point, each in the order of the tasks.
    private let sets: [[(run: EvalRun, order: EvalOrder)]]

    /// Creates the sets; `nil` if the file is not a group.
    ///
    /// - Parameter orders: Orders of the file, task by task.
    init?(_ group: LMEvalGroup?, _ runs: [EvalRun], _ orders: [EvalOrder]) {
        guard let group, runs.count == orders.count else { return nil }
        self.group = group
        let each = orders.count / max(Set(orders.map(\.task.name)).count, 1)
        let pairs = Array(zip(runs, orders))
        sets = (0..<each).map { point in
            stride(from: point, to: pairs.count, by: max(each, 1)).map { (run: pairs[$0].0, order: pairs[$0].1) }
        }
    }

    /// One table per set.
    var text: String {
        sets.map { set in
            let metrics = group.metrics(of: set.map(\.run))
            let model = set.first?.run.model ?? ""
            guard !metrics.isEmpty else { return "group \(group.alias): no aggregated metrics" }
            return "group \(group.alias), \(Format.count(set.count)) tasks, model \(model)\n"
                + EvalText.metrics(metrics)
        }.joined(separator: "\n\n")
    }

    /// Sets with their figures.
    var reports: [EvalGroupReport] {
        sets.map { set in
            EvalGroupReport(
                name: group.name, alias: group.alias, model: set.first?.run.model ?? "", runs: set.map(\.run.key),
                metrics: group.metrics(of: set.map(\.run)))
        }
    }

    /// Writes a results file for each set, as the harness does for a group.
    func export(to folder: String, from workspace: Workspace) throws {
        let store = EvalStore(workspace)
        for set in sets {
            guard let last = set.last else { continue }
            let files = try set.compactMap { one -> JSONValue? in
                guard let number = Int64(one.run.key) else { return nil }
                let export = try LMEvalExport(one.order.task, try store.log(number))
                return export.results(export.sampleRows())
            }
            let path = try LMEvalExport.write(
                group.results(files), model: last.run.model, to: folder, time: last.run.end ?? Clock.nanoseconds(.wall))
            Output.note(path)
        }
    }
}

/// A group as printed by `eval run --json`.
struct EvalGroupReport: JSONRepresentable {
    var name: String
    var alias: String
    var model: String
    /// Keys of the runs of the group's tasks.
    var runs: [String]
    var metrics: [EvalMetric]

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("group", name)
            $0.member("alias", alias)
            $0.member("model", model)
            $0.member("runs", runs)
            $0.member("metrics", metrics)
        }
    }
}
