internal import EvalLogs
internal import Glibc
internal import JSON
internal import LanguageModels
internal import System
internal import Tokenizers

/// An answer after one filter, with every metric of it.
struct LMEvalAnswer {
    /// Generated answers after the filters: one, or a list.
    let filtered: JSONValue
    /// Reason why the filters failed.
    let problem: String?
    private let sample: TaskSample
    private let likelihoods: [Double]
    private let isGreedy: [Bool]
    /// Whether the model reported that.
    private let tellsGreedy: Bool
    private let alone: [Double]
    private let gold: LMEvalGold
    private let isMultiple: Bool
    private let output: LMEvalDefinition.Output

    init(_ solution: Solution, of sample: TaskSample, output: LMEvalDefinition.Output, steps: [any AnswerFilter]) {
        self.sample = sample
        self.output = output
        likelihoods = solution.likelihoods.map(\.logProbability)
        isGreedy = solution.likelihoods.map(\.isGreedy)
        tellsGreedy = !solution.likelihoods.contains { $0.rule?.hasSuffix(Likelihood.withoutAlternatives) ?? false }
        alone = solution.alone.map(\.logProbability)
        isMultiple = sample.details["multiple"]?.bool ?? false
        gold = LMEvalGold(
            sample.details["target"] ?? .null, choices: sample.choices, isMultiple: isMultiple, output: output)
        var value = JSONValue.array(solution.answers.map { .string($0) })
        var problem: String?
        do {
            if output == .generation { for step in steps { value = try step.apply(value, of: sample.fields) } }
        } catch {
            problem = error.what
        }
        filtered = value
        self.problem = problem
    }

    func score(_ metric: LMEvalScorer.MetricPlan) -> EvalScore {
        switch output {
        case .generation:
            if let problem { return EvalScore("", value: nil, problem: problem) }
            do {
                return try generated(metric)
            } catch {
                return EvalScore("", value: nil, problem: error.what)
            }
        case .likelihood:
            guard let value = likelihoods.first else { return missing }
            guard metric.name == "acc" else { return EvalScore("", value: value) }
            return tellsGreedy ? EvalScore("", value: isGreedy[0] ? 1 : 0) : untold
        case .rolling: return rolling(metric)
        case .choice: return choice(metric)
        }
    }

    private var untold: EvalScore {
        EvalScore(
            "", value: nil, problem: "the server returns no alternatives, so the most probable text is unknown")
    }
    private var missing: EvalScore { EvalScore("", value: nil, problem: "the model reported no log-probability") }

    private func generated(_ metric: LMEvalScorer.MetricPlan) throws(Problem) -> EvalScore {
        /// Returns whether an answer is one of the targets.
        func hits(_ answer: String) throws(Problem) -> Bool {
            for target in gold.texts { if try metric.match.holds(answer, target) { return true } }
            return false
        }
        let answers = filtered.elements?.map { PythonLiteral.printed($0) }
        let text = filtered == .null ? "None" : PythonLiteral.printed(filtered)
        guard metric.name == "exact_match" else {
            return EvalScore(
                "", value: nil, label: text, answer: text,
                problem: "the metric is defined only for all samples together")
        }
        let value: Double
        if let answers {
            // A list is compared element by element; the score is the share that matches.
            var count = 0
            for answer in answers { if try hits(answer) { count += 1 } }
            value = answers.isEmpty ? .nan : Double(count) / Double(answers.count)
        } else {
            value = try hits(text) ? 1 : 0
        }
        return EvalScore(
            "", value: value.isNaN ? nil : value, answer: text,
            problem: value.isNaN ? "the filters removed the whole answer" : nil)
    }

    private func rolling(_ metric: LMEvalScorer.MetricPlan) -> EvalScore {
        guard let sum = likelihoods.first, case .rolling(let text) = sample.request else { return missing }
        let count = metric.name == "word_perplexity" ? Self.words(text) : text.utf8.count
        let share = -sum / Double(count)
        let value = metric.name == "bits_per_byte" ? share / log(2) : exp(share)
        return EvalScore(
            "", value: value.isFinite ? value : nil, problem: value.isFinite ? nil : "the value is not finite",
            parts: [sum, Double(count)])
    }

    /// Number of runs between whitespace: one more than the number of whitespace runs.
    static func words(_ text: String) -> Int {
        var (count, wasSpace) = (1, false)
        for scalar in text.unicodeScalars {
            let isSpace = PythonLiteral.isSpace(scalar)
            if isSpace, !wasSpace { count += 1 }
            wasSpace = isSpace
        }
        return count
    }

    private func choice(_ metric: LMEvalScorer.MetricPlan) -> EvalScore {
        let count = sample.choices.count
        guard likelihoods.count == count, count > 0 else { return missing }
        func hit(_ place: Int) -> Double {
            (isMultiple ? gold.places.contains(place) : gold.places.first == place) ? 1 : 0
        }
        func scored(_ values: [Double]) -> EvalScore {
            let place = Self.largest(values)
            return EvalScore("", value: hit(place), answer: sample.choices[place])
        }
        switch metric.name {
        case "acc": return scored(likelihoods)
        case "acc_norm":
            return scored(zip(likelihoods, sample.choices).map { $0 / Double($1.unicodeScalars.count) })
        case "acc_bytes": return scored(zip(likelihoods, sample.choices).map { $0 / Double($1.utf8.count) })
        case "acc_mutual_info":
            guard alone.count == count else { return missing }
            return scored(zip(likelihoods, alone).map { $0 - $1 })
        case "exact_match":
            guard tellsGreedy else { return untold }
            let places = isMultiple ? gold.places : Array(gold.places.prefix(1))
            return EvalScore("", value: places.contains { self.greedy($0) } ? 1 : 0)
        case "brier_score":
            guard let right = gold.places.first, sample.choices.indices.contains(right) else {
                return EvalScore("", value: nil, problem: "the target is not one of the choices")
            }
            let odds = Self.softmax(likelihoods)
            let sum = odds.indices.reduce(0.0) { sum, place in
                let difference = odds[place] - (place == right ? 1 : 0)
                return sum + difference * difference
            }
            return EvalScore("", value: sum, confidence: odds.max(), parts: [Double(right)] + odds)
        default:
            let place = Self.largest(likelihoods)
            return EvalScore(
                "", value: hit(place), label: String(place), answer: sample.choices[place],
                parts: [Double(gold.places.first ?? -100), Double(place)])
        }
    }

    private func greedy(_ place: Int) -> Bool {
        if place == -100 { return false }
        let place = place < 0 ? isGreedy.count + place : place
        return isGreedy.indices.contains(place) && isGreedy[place]
    }

    /// Returns the index of the largest value, the first of equals; if there is a NaN, its first index.
    static func largest(_ values: [Double]) -> Int {
        var best = 0
        for place in values.indices {
            if values[place].isNaN { return place }
            if values[place] > values[best] { best = place }
        }
        return best
    }

    static func softmax(_ values: [Double]) -> [Double] {
        let most = values.max() ?? 0
        let powers = values.map { exp($0 - most) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
