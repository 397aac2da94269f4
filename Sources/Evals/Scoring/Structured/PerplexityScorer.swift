public import EvalLogs
internal import LanguageModels
public import System
internal import Traces

/// Mean negative log-probability of a text's tokens, in nats; its parts give the perplexities of all texts.
///
/// Parts: Σ ln p, words (separated by whitespace), UTF-8 bytes, tokens.
public struct PerplexityScorer: Scorer {
    public static let kind = ScorerKind("perplexity", "mean negative log-probability per token, in nats")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] {
        [EvalScoreKind("nats_per_token", higherIsBetter: false, passesAt: .greatestFiniteMagnitude)]
    }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let likelihood = solution.likelihoods.first, likelihood.logProbability.isFinite else {
            return [EvalScore("nats_per_token", value: nil, problem: "the text has no log-probability")]
        }
        let text: String
        switch sample.request {
        case .rolling(let whole): text = whole
        case .likelihood(_, let continuation): text = continuation
        default: text = sample.targets.first ?? likelihood.tokens.map(\.text).joined()
        }
        let words = TextWords.split(text).count
        let tokens = likelihood.tokens.count
        let value = tokens > 0 ? -likelihood.logProbability / Double(tokens) : nil
        return [
            EvalScore(
                "nats_per_token", value: value, problem: value == nil ? "the tokens were not reported" : nil,
                parts: [likelihood.logProbability, Double(words), Double(text.utf8.count), Double(tokens)])
        ]
    }
}
