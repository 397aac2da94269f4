internal import JSON
internal import Tokenizers

extension LMEvalDefinition {
    /// The task's scorer, with all metrics on all filters.
    var scorer: ScorerChoice {
        let filters = filters.map { filter in
            JSONValue.object([
                .init(key: "name", value: .string(filter.name)),
                .init(
                    key: "steps",
                    value: .array(
                        filter.steps.map { step in
                            .object([
                                .init(key: "function", value: .string(step.function)),
                                .init(key: "settings", value: .object(step.settings.values)),
                                .init(key: "line", value: step.settings.line.map { .integer($0) } ?? .null),
                            ])
                        })),
            ])
        }
        let metrics = metrics.map { metric in
            JSONValue.object([
                .init(key: "name", value: .string(metric.name)),
                .init(key: "aggregation", value: .string(metric.aggregation)),
                .init(key: "higher_is_better", value: .bool(metric.higherIsBetter)),
                .init(key: "options", value: .object(metric.options)),
            ])
        }
        return ScorerChoice(
            "lm-eval",
            settings: ScorerSettings(
                [
                    .init(key: "output", value: .string(output.rawValue)),
                    .init(key: "filters", value: .array(filters)),
                    .init(key: "metrics", value: .array(metrics)),
                ], path: path, line: line))
    }

    /// The metrics of the whole run.
    var metricChoices: [MetricChoice] {
        filters.flatMap { filter in
            metrics.map { metric in
                MetricChoice(
                    "lm-eval", of: "\(metric.name),\(filter.name)",
                    settings: ScorerSettings(
                        [.init(key: "aggregation", value: .string(metric.aggregation))], path: path, line: metric.line))
            }
        }
    }

    /// The definition as JSON for exports.
    var exported: String { source.json() }

    /// Returns a version as Python prints it: `1`, `1.0`.
    static func written(_ version: JSONValue) -> String { PythonLiteral.printed(version) }
}
