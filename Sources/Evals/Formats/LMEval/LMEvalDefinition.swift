internal import JSON

/// A task of lm-evaluation-harness as defined in YAML, with the harness's defaults.
struct LMEvalDefinition {
    enum Output: String, CaseIterable {
        case generation = "generate_until"
        case likelihood = "loglikelihood"
        case rolling = "loglikelihood_rolling"
        case choice = "multiple_choice"
    }

    struct Metric {
        var name: String
        var aggregation: String
        var higherIsBetter: Bool
        var options: [JSONValue.Member]
        var line: Int
    }

    struct Filter {
        var name: String
        var steps: [(function: String, settings: ScorerSettings)]
    }

    /// The wording that examples and questions share.
    struct Wording {
        var text: YAMLNode?
        var target: YAMLNode?
        var choice: YAMLNode?
        var prefix: YAMLNode?
    }

    var path: String
    var line: Int
    var name: String
    var alias: String?
    var version: JSONValue
    var output: Output
    var datasetPath: String
    var dataFiles: YAMLNode
    var training: String?
    var validation: String?
    var test: String?
    var description: YAMLNode?
    var own: Wording
    var examples: Wording
    var exampleSplit: String?
    var exampleRows: [JSONValue]?
    var sampler: String
    var targetDelimiter: String
    var exampleDelimiter: String
    var exampleTargetDelimiter: String
    var exampleFewshotDelimiter: String
    var exampleCount: Int
    /// Generation options as the samples files record them; `nil` if nothing is generated.
    var generation: JSONValue?
    var repeats: Int
    var filters: [Filter]
    var metrics: [Metric]
    /// The whole definition with its includes, without positions.
    var source: JSONValue
    var notes: [String]
}
