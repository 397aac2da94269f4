internal import JSON

/// What stands at the head of an Inspect log: `header.json`, `_journal/start.json`, or a JSON log without its samples.
struct InspectHead: Sendable {
    var run: EvalRun
    /// The property of a sample by which the recorded standard errors are clustered.
    var clusterKey: String?
    /// Reducers of epochs; one if none were recorded.
    var reducers: [String] = []
    /// Model as recorded in the samples' spans.
    var evaluation: String

    /// - Parameter isFinished: Whether this is a header, which is written last.
    init(_ node: JSONNode, path: String, isFinished: Bool) {
        let eval = node["eval"] ?? node
        let stats = node["stats"]
        let results = node["results"]
        let task = eval["task"]?.text ?? "unknown task"
        evaluation = eval["eval_id"]?.text ?? (eval["run_id"]?.text ?? "") + (eval["task_id"]?.text ?? "")
        let usage = InspectUsage.total(stats?["model_usage"])
        let epochs = max(1, min(eval["config"]?["epochs"]?.whole ?? 1, 1 << 20))
        let listed = eval["dataset"]?["sample_ids"].map(\.count) ?? 0
        let samples = listed > 0 ? listed : eval["dataset"]?["samples"]?.whole ?? 0
        run = EvalRun(
            key: evaluation.isEmpty ? path : evaluation, name: eval["task_display_name"]?.text ?? task, task: task,
            taskVersion: eval["task_version"]?.text ?? "", model: eval["model"]?.text ?? "unknown model",
            format: "inspect", path: path, state: InspectHead.state(node["status"]?.string, isFinished, path),
            problem: node["error"]?["message"]?.text ?? (node["error"]?.kind == .string ? node["error"]?.text : nil),
            start: stats?["started_at"]?.timestamp ?? eval["created"]?.timestamp,
            end: stats?["completed_at"]?.timestamp,
            total: InspectHead.count(results?["total_samples"])
                ?? (samples > 0 ? min(samples, EvalRun.mostSamples) * epochs : nil).map { min($0, EvalRun.mostSamples) },
            metrics: InspectHead.metrics(results), usage: usage.usage, cost: usage.cost,
            settings: InspectHead.settings(eval, node["plan"]))
        run.isCostEstimated = usage.isEstimated
        if let reducer = eval["config"]?["epochs_reducer"] { reducers = reducer.texts }
        run.completed = InspectHead.count(results?["completed_samples"]) ?? 0
        clusterKey = InspectHead.clusterKey(eval["scorers"])
    }

    /// A number of samples that can be one; `nil` for any other.
    private static func count(_ node: JSONNode?) -> Int? {
        node?.whole.flatMap { $0 >= 0 ? min($0, EvalRun.mostSamples) : nil }
    }

    private static func state(_ word: String?, _ isFinished: Bool, _ path: String) -> EvalRun.State {
        switch word {
        case "success": .done
        case "cancelled": .cancelled
        case "error": .failed
        case nil where isFinished: .done
        default: .unended(path)
        }
    }

    /// What a metric is made of, by the names that samples have too: `scorer` or `scorer/key`.
    static func scoreName(_ score: JSONNode) -> String {
        let name = score["name"]?.text ?? "score"
        guard let scorer = score["scorer"]?.text, scorer != name else { return name }
        return scorer + "/" + name
    }

    private static func metrics(_ results: JSONNode?) -> [EvalMetric] {
        guard let scores = results?["scores"] else { return [] }
        let reducers = Set(scores.elements.compactMap { $0["reducer"]?.text })
        var list: [EvalMetric] = []
        for score in scores.elements {
            let unscored = InspectHead.count(score["unscored_samples"]) ?? 0
            let count =
                InspectHead.count(score["scored_samples"]) ?? InspectHead.count(results?["completed_samples"]) ?? 0
            let suffix = reducers.count > 1 ? score["reducer"]?.text.map { " (\($0))" } ?? "" : ""
            let metrics = score["metrics"]?.members.map({ $0 }) ?? []
            let names = metrics.map { $1["name"]?.text ?? $0.string ?? "" }
            // The standard error belongs to its mean and is not a metric of its own.
            let errorPlace = names.contains(where: isMean) ? names.firstIndex(of: "stderr") : nil
            let error = errorPlace.flatMap { metrics[$0].value["value"]?.double }
            for (place, (key, metric)) in metrics.enumerated() where place != errorPlace || error == nil {
                let name = names[place]
                guard !name.isEmpty, let value = metric["value"] else { continue }
                var values: [(name: String, value: Double)] = []
                if let number = value.double { values.append((key.string ?? name, number)) }
                for (part, one) in value.members {
                    if let number = one.double {
                        values.append(((key.string ?? name) + "." + (part.string ?? ""), number))
                    }
                }
                for one in values {
                    list.append(
                        EvalMetric(
                            score: scoreName(score), name: one.name + suffix, value: one.value,
                            standardError: isMean(name) ? error : nil, count: count,
                            note: unscored > 0 ? "\(unscored) samples could not be scored" : nil))
                }
            }
        }
        return list
    }

    private static func isMean(_ name: String) -> Bool { name == "accuracy" || name == "mean" }

    private static func clusterKey(_ scorers: JSONNode?) -> String? {
        guard let scorers else { return nil }
        for scorer in scorers.elements {
            for metric in scorer["metrics"]?.elements.map({ $0 }) ?? [] {
                if let cluster = metric["options"]?["cluster"]?.string { return cluster }
            }
        }
        return nil
    }

    private static func settings(_ eval: JSONNode, _ plan: JSONNode?) -> [EvalSetting] {
        var list: [EvalSetting] = []
        func add(_ node: JSONNode?, _ prefix: String = "") {
            for (key, value) in node?.members.map({ $0 }) ?? [] where list.count < 64 {
                if let name = key.string, let text = value.text {
                    list.append(EvalSetting(prefix + name, text.rowText))
                }
            }
        }
        let steps = plan?["steps"]?.elements.compactMap { $0["solver"]?.text } ?? []
        if !steps.isEmpty { list.append(EvalSetting("solver", steps.joined(separator: ", "))) }
        add(eval["model_generate_config"])
        add(eval["task_args"], "task.")
        for name in [
            "limit", "epochs", "epochs_reducer", "message_limit", "token_limit", "time_limit", "fail_on_error",
        ] {
            if let value = eval["config"]?.member(named: name)?.text { list.append(EvalSetting(name, value.rowText)) }
        }
        if let dataset = eval["dataset"]?["name"]?.text { list.append(EvalSetting("dataset", dataset)) }
        return list
    }
}
