internal import EvalLogs
internal import Hashing
internal import JSON
internal import LanguageModels
internal import Tokenizers
internal import Traces

/// A row of the samples file of lm-evaluation-harness: a sample after one filter.
struct LMEvalRow {
    let value: JSONValue

    init(
        _ sample: TaskSample, _ place: Int, _ solution: Solution, _ scorer: LMEvalScorer,
        _ filter: (name: String, steps: [any AnswerFilter])
    ) {
        let answer = LMEvalAnswer(solution, of: sample, output: scorer.output, steps: filter.steps)
        let arguments = Self.arguments(sample)
        let target = PythonLiteral.printed(sample.details["target"] ?? .null)
        let metrics = Self.ordered(scorer)
        var members: [JSONValue.Member] = []
        func put(_ key: String, _ value: JSONValue) { members.append(JSONValue.Member(key: key, value: value)) }
        put("doc_id", .integer(place))
        put("doc", sample.fields)
        put("target", .string(target))
        put(
            "arguments",
            .object(
                arguments.enumerated().map { index, list in
                    JSONValue.Member(
                        key: "gen_args_\(index)",
                        value: .object(
                            list.enumerated().map { JSONValue.Member(key: "arg_\($0.offset)", value: $0.element) }))
                }))
        let told = Self.responses(solution, scorer.output)
        put("resps", .array(told.map { .array($0) }))
        put(
            "filtered_resps",
            .array(
                scorer.output == .generation ? [Self.texts(answer.filtered)] : told.map { $0.first ?? .null }))
        put("filter", .string(filter.name))
        put("metrics", .array(metrics.map { .string($0.name) }))
        put("doc_hash", .string(SHA256.hexadecimal(PythonJSON.text(sample.fields, indent: 2))))
        put("prompt_hash", .string(SHA256.hexadecimal(arguments.first?.first?.string ?? "")))
        put("target_hash", .string(SHA256.hexadecimal(target)))
        for metric in metrics { put(metric.name, Self.value(answer.score(metric), metric.name, scorer.output, target)) }
        value = .object(members)
    }

    /// Returns the metrics in the order of lm-evaluation-harness.
    static func ordered(_ scorer: LMEvalScorer) -> [LMEvalScorer.MetricPlan] {
        let order: [String] =
            switch scorer.output {
            case .generation: []
            case .likelihood: ["perplexity", "acc"]
            case .rolling: ["word_perplexity", "byte_perplexity", "bits_per_byte"]
            case .choice:
                ["acc", "f1", "mcc", "acc_norm", "acc_bytes", "exact_match", "brier_score", "acc_mutual_info"]
            }
        return order.isEmpty ? scorer.metrics : order.compactMap { name in scorer.metrics.first { $0.name == name } }
    }

    /// Returns the arguments of every request of the sample.
    private static func arguments(_ sample: TaskSample) -> [[JSONValue]] {
        switch sample.request {
        case .generation(let request):
            guard case .text(let prompt) = request.input else { return [] }
            return [[.string(prompt), sample.details["generation"] ?? .null]]
        case .likelihood(let context, let continuation): return [[.string(context), .string(continuation)]]
        case .rolling(let text): return [[.string(text)]]
        case .choice(let context, let continuations, let alone):
            return continuations.map { [.string(context), .string($0)] }
                + (alone ? continuations.map { [.string(""), .string($0)] } : [])
        default: return []
        }
    }

    /// Returns a value with every element as text, as lm-evaluation-harness sanitizes it.
    private static func texts(_ value: JSONValue) -> JSONValue {
        if let elements = value.elements { return .array(elements.map { texts($0) }) }
        return .string(PythonLiteral.printed(value))
    }

    private static func responses(_ solution: Solution, _ output: LMEvalDefinition.Output) -> [[JSONValue]] {
        switch output {
        case .generation: return [solution.answers.map { .string($0) }]
        case .rolling: return solution.likelihoods.map { [.string(PythonLiteral.digits($0.logProbability))] }
        case .likelihood, .choice:
            return (solution.likelihoods + solution.alone).map {
                [.array([.string(digits($0)), .string($0.isGreedy ? "True" : "False")])]
            }
        }
    }

    /// Returns the digits of a likelihood; in Python, a sum over no tokens is an integer.
    private static func digits(_ likelihood: Likelihood) -> String {
        likelihood.tokens.isEmpty && likelihood.logProbability == 0
            ? "0" : PythonLiteral.digits(likelihood.logProbability)
    }

    private static func value(
        _ score: EvalScore, _ name: String, _ output: LMEvalDefinition.Output, _ target: String
    ) -> JSONValue {
        switch name {
        case "word_perplexity", "byte_perplexity", "bits_per_byte", "f1", "mcc":
            guard score.parts.count == 2 else { return .null }
            let first: JSONValue = output == .rolling ? .number(score.parts[0]) : .integer(Int(score.parts[0]))
            return .array([first, .integer(Int(score.parts[1]))])
        case "brier_score":
            guard let right = score.parts.first else { return .null }
            return .array([.integer(Int(right)), .array(score.parts.dropFirst().map { .number($0) })])
        case "bleu", "chrf", "chrf++", "ter": return .array([.string(target), .string(score.answer ?? "")])
        case "acc" where output == .likelihood, "exact_match" where output == .choice:
            return score.value.map { .integer(Int($0)) } ?? .null
        default: return score.value.map { .number($0) } ?? .number(.nan)
        }
    }
}
