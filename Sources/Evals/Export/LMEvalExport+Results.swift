internal import EvalLogs
internal import Hashing
public import JSON
internal import Tokenizers
internal import Traces

extension LMEvalExport {
    private typealias Member = JSONValue.Member

    /// Returns the results file.
    ///
    /// - Parameter rows: Rows of the samples file.
    public func results(_ rows: [JSONValue]) -> JSONValue {
        let source = (try? JSONValue(json: task.source)) ?? .object([])
        let name = task.name
        func only(_ value: JSONValue) -> JSONValue { .object([Member(key: name, value: value)]) }
        let metrics = LMEvalRow.ordered(scorer)
        let hashes = rows.map { row in
            ["doc_hash", "prompt_hash", "target_hash"].map { row[$0]?.string ?? "" }.joined()
        }
        let seconds = Double((run.end ?? 0) - (run.start ?? 0)) / 1e9
        let shots = task.settings.first { $0.name == "examples" }.flatMap { Int($0.value) } ?? 0
        let total = task.settings.first { $0.name == "rows" }.flatMap { Int($0.value) } ?? task.samples.count
        let limit = solutions.count < total ? JSONValue.number(Double(solutions.count)) : .null
        return .object([
            Member(key: "results", value: only(.object(figures(source)))),
            Member(key: "group_subtasks", value: .object([])),
            Member(key: "configs", value: only(LMEvalConfig(source, examples: shots).value)),
            Member(key: "versions", value: only(source["metadata"]?["version"] ?? .string("Yaml"))),
            Member(key: "n-shot", value: only(.integer(shots))),
            Member(
                key: "higher_is_better",
                value: only(.object(metrics.map { Member(key: $0.name, value: .bool($0.higherIsBetter)) }))),
            Member(
                key: "n-samples",
                value: only(
                    .object([
                        Member(key: "original", value: .integer(total)),
                        Member(key: "effective", value: .integer(solutions.count)),
                    ]))),
            Member(
                key: "config",
                value: .object([
                    Member(key: "model", value: .string("local-completions")),
                    Member(key: "model_args", value: .object([Member(key: "model", value: .string(run.model))])),
                    Member(key: "batch_size", value: .integer(1)), Member(key: "batch_sizes", value: .array([])),
                    Member(key: "device", value: .null), Member(key: "use_cache", value: .null),
                    Member(key: "limit", value: limit), Member(key: "bootstrap_iters", value: .integer(100_000)),
                    Member(key: "gen_kwargs", value: .object([])), Member(key: "random_seed", value: .integer(0)),
                    Member(key: "numpy_seed", value: .integer(1234)), Member(key: "torch_seed", value: .integer(1234)),
                    Member(key: "fewshot_seed", value: .integer(Int(exampleSeed) ?? 1234)),
                ])),
            Member(key: "git_hash", value: .null),
            Member(key: "date", value: .number(Double(run.start ?? 0) / 1e9)),
            Member(key: "task_hashes", value: only(.string(SHA256.hexadecimal(hashes.joined())))),
            Member(key: "model_source", value: .string("local-completions")),
            Member(key: "model_name", value: .string(run.model)),
            Member(key: "model_name_sanitized", value: .string(Self.plain(run.model, #"["<>:/|\\?*\[\]]+"#, "__"))),
            Member(key: "system_instruction", value: .null), Member(key: "system_instruction_sha", value: .null),
            Member(key: "fewshot_as_multiturn", value: .null), Member(key: "chat_template", value: .null),
            Member(key: "chat_template_sha", value: .null),
            Member(key: "start_time", value: .number(Double(run.start ?? 0) / 1e9)),
            Member(key: "end_time", value: .number(Double(run.end ?? 0) / 1e9)),
            Member(key: "total_evaluation_time_seconds", value: .string(PythonLiteral.digits(seconds))),
        ])
    }

    private var exampleSeed: String { task.settings.first { $0.name == "example seed" }?.value ?? "1234" }

    /// Returns every metric on every filter with its standard error, from the run if it has them.
    private func figures(_ source: JSONValue) -> [JSONValue.Member] {
        var members = [
            Member(key: "name", value: .string(task.name)),
            Member(key: "alias", value: .string(source["task_alias"]?.string ?? task.name)),
            Member(key: "sample_len", value: .integer(solutions.count)),
        ]
        for filter in scorer.filters {
            for metric in LMEvalRow.ordered(scorer) {
                let key = "\(metric.name),\(filter.name)"
                let figure = run.metrics.first { $0.score == key && $0.value.isFinite } ?? computed(key, metric, filter)
                members.append(Member(key: key, value: figure.map { .number($0.value) } ?? .number(.nan)))
                members.append(
                    Member(
                        key: "\(metric.name)_stderr,\(filter.name)",
                        value: figure?.standardError.map { .number($0) } ?? .string("N/A")))
            }
        }
        return members
    }

    private func computed(
        _ key: String, _ metric: LMEvalScorer.MetricPlan, _ filter: (name: String, steps: [any AnswerFilter])
    ) -> EvalMetric? {
        guard let choice = task.metrics.first(where: { $0.score == key }),
            let kind = scorer.scores.first(where: { $0.name == key }), let made = try? LMEvalMetric(choice.settings)
        else { return nil }
        let samples = solutions.map { entry in
            let sample = task.samples[entry.place]
            let score = LMEvalAnswer(entry.solution, of: sample, output: scorer.output, steps: filter.steps).score(
                metric)
            return MetricSample(
                id: sample.id, value: score.value, answered: score.label, target: sample.targets.first,
                parts: score.parts, answer: score.answer ?? "", targets: sample.targets)
        }
        return made.figures(of: samples, score: kind).first
    }
}
