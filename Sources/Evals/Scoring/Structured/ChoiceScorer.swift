public import EvalLogs
internal import Glibc
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// Returns e to the power of a logarithm.
func exponential(_ value: Double) -> Double { exp(value) }

/// Returns the probabilities of logarithms, e^x / Σ e^x, without overflow.
func softmax(_ logarithms: [Double]) -> [Double] {
    guard let most = logarithms.max(), most.isFinite else { return [] }
    let powers = logarithms.map { exp($0 - most) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
}

/// Scores 1 if the most probable choice is correct; of equals, the first counts.
public struct ChoiceScorer: Scorer {
    public static let kind = ScorerKind(
        "choice", "1 if the most probable choice is correct",
        settings: [
            ScorerSetting(
                "normalize",
                "divisor of the log-probability: none, characters, or bytes; alone subtracts the log-probability "
                    + "of the choice without the question", standard: .string("none"))
        ], needsTargets: true)
    private enum Normalization: String { case none, characters, bytes, alone }
    private let normalization: Normalization

    public init(_ settings: ScorerSettings) throws(Problem) {
        let word = try settings.word("normalize", "none", of: ["none", "characters", "bytes", "alone"])
        normalization = Normalization(rawValue: word) ?? .none
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("choice")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let right = sample.rightChoice, sample.choices.indices.contains(right) else {
            return [EvalScore("choice", value: nil, problem: "the sample does not name the correct choice")]
        }
        let values = solution.likelihoods.map(\.logProbability)
        guard values.count == sample.choices.count, !values.contains(where: \.isNaN) else {
            let problem = "there are \(values.count) log-probabilities for \(sample.choices.count) choices"
            return [EvalScore("choice", value: nil, problem: problem)]
        }
        var ranked = values
        switch normalization {
        case .none: break
        case .characters:
            ranked = zip(values, sample.choices).map { $0 / Double(max(1, $1.unicodeScalars.count)) }
        case .bytes: ranked = zip(values, sample.choices).map { $0 / Double(max(1, $1.utf8.count)) }
        case .alone:
            guard solution.alone.count == values.count else {
                return [EvalScore("choice", value: nil, problem: "the choices were not scored without the question")]
            }
            ranked = zip(values, solution.alone).map { $0 - $1.logProbability }
        }
        var best = 0
        for index in ranked.indices where ranked[index] > ranked[best] { best = index }
        let shares = softmax(values)
        return [
            EvalScore(
                "choice", value: best == right ? 1 : 0, label: sample.choices[best], answer: sample.choices[best],
                confidence: shares.isEmpty ? nil : shares[best], parts: shares)
        ]
    }
}
