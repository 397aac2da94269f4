internal import JSON
internal import System

extension LMEvalDefinition {
    /// Facts about a metric of lm-evaluation-harness: its requests, aggregation, and direction.
    struct MetricFacts {
        var outputs: [Output]
        var aggregation: String
        var higherIsBetter: Bool
    }

    static let metricFacts: [String: MetricFacts] = [
        "acc": MetricFacts(outputs: [.likelihood, .choice], aggregation: "mean", higherIsBetter: true),
        "acc_norm": MetricFacts(outputs: [.choice], aggregation: "mean", higherIsBetter: true),
        "acc_bytes": MetricFacts(outputs: [.choice], aggregation: "mean", higherIsBetter: true),
        "acc_mutual_info": MetricFacts(outputs: [.choice], aggregation: "mean", higherIsBetter: true),
        "exact_match": MetricFacts(outputs: [.generation, .choice], aggregation: "mean", higherIsBetter: true),
        "perplexity": MetricFacts(outputs: [.likelihood], aggregation: "perplexity", higherIsBetter: false),
        "word_perplexity": MetricFacts(
            outputs: [.rolling], aggregation: "weighted_perplexity", higherIsBetter: false),
        "byte_perplexity": MetricFacts(
            outputs: [.rolling], aggregation: "weighted_perplexity", higherIsBetter: false),
        "bits_per_byte": MetricFacts(outputs: [.rolling], aggregation: "bits_per_byte", higherIsBetter: false),
        "brier_score": MetricFacts(outputs: [.choice], aggregation: "brier_score", higherIsBetter: false),
        "f1": MetricFacts(outputs: [.choice], aggregation: "f1", higherIsBetter: true),
        "mcc": MetricFacts(outputs: [.choice], aggregation: "matthews_corrcoef", higherIsBetter: true),
        "bleu": MetricFacts(outputs: [.generation], aggregation: "bleu", higherIsBetter: true),
        "chrf": MetricFacts(outputs: [.generation], aggregation: "chrf", higherIsBetter: true),
        "chrf++": MetricFacts(outputs: [.generation], aggregation: "chrf++", higherIsBetter: true),
        "ter": MetricFacts(outputs: [.generation], aggregation: "ter", higherIsBetter: false),
    ]
    private static let aggregations = [
        "mean", "nanmean", "median", "perplexity", "weighted_perplexity", "bits_per_byte", "brier_score", "f1",
        "matthews_corrcoef", "bleu", "chrf", "chrf++", "ter",
    ]

    /// Metrics of lm-evaluation-harness for tasks that name none.
    private var standardMetrics: [String] {
        switch output {
        case .generation: ["exact_match"]
        case .likelihood: ["perplexity", "acc"]
        case .rolling: ["word_perplexity", "byte_perplexity", "bits_per_byte"]
        case .choice: ["acc", "acc_norm"]
        }
    }

    mutating func readMetrics(_ node: YAMLNode?) throws(Problem) {
        guard let node else {
            metrics = standardMetrics.compactMap { name in
                Self.metricFacts[name].map {
                    Metric(
                        name: name, aggregation: $0.aggregation, higherIsBetter: $0.higherIsBetter, options: [],
                        line: line)
                }
            }
            return
        }
        guard case .list(let entries) = node.content, !entries.isEmpty else {
            throw node.error("`metric_list` must be a list of metrics")
        }
        for entry in entries {
            guard let name = entry["metric"]?.value?.string, case .map(let members) = entry.content else {
                throw entry.error("an entry of `metric_list` must have a `metric`")
            }
            guard let facts = Self.metricFacts[name] else {
                throw entry.error(
                    "the metric `\(name)` is not supported",
                    "Supported: \(Self.metricFacts.keys.sorted().joined(separator: ", ")).")
            }
            guard facts.outputs.contains(output) else {
                throw entry.error("the metric `\(name)` does not support `\(output.rawValue)`")
            }
            if entry["hf_evaluate"]?.value == .bool(true) {
                throw entry.error("`hf_evaluate` downloads Python code, which Orrery does not run")
            }
            let aggregation = entry["aggregation"]?.value?.string ?? facts.aggregation
            guard Self.aggregations.contains(aggregation), Self.fits(aggregation, facts.aggregation) else {
                throw entry.error("`aggregation: \(aggregation)` is not supported for `\(name)`")
            }
            var options: [JSONValue.Member] = []
            for (key, value) in members {
                if ["metric", "aggregation", "higher_is_better", "hf_evaluate"].contains(key) { continue }
                let taken = ["regexes_to_ignore", "ignore_case", "ignore_punctuation", "ignore_numbers"]
                guard name == "exact_match", output == .generation, taken.contains(key) else {
                    throw value.error("unsupported setting `\(key)` of the metric `\(name)`")
                }
                options.append(JSONValue.Member(key: key, value: value.value ?? .null))
            }
            metrics.removeAll { $0.name == name }
            metrics.append(
                Metric(
                    name: name, aggregation: aggregation,
                    higherIsBetter: entry["higher_is_better"]?.value?.bool ?? facts.higherIsBetter, options: options,
                    line: entry.line))
        }
    }

    /// Returns whether values for one aggregation fit another one: only plain numbers do.
    private static func fits(_ aggregation: String, _ standard: String) -> Bool {
        let plain = ["mean", "nanmean", "median", "perplexity"]
        let weighted = ["weighted_perplexity", "bits_per_byte"]
        return aggregation == standard || plain.contains(aggregation) && plain.contains(standard)
            || weighted.contains(aggregation) && weighted.contains(standard)
    }
}
