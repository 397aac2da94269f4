public import EvalLogs
public import System
internal import Traces

/// F1 over the words that answer and target have in common: SQuAD's F1.
///
/// With c common words (counted as often as they occur in both), P = c / answer's words, R = c / target's words, F1 =
/// 2PR / (P + R). If a side has no words: 1 if neither has, otherwise 0. Source: Rajpurkar et al., EMNLP 2016, section
/// 6.1; the empty case as in SQuAD 2.0.
public struct TokenOverlapScorer: Scorer {
    public static let kind = ScorerKind(
        "f1", "F1 over the words that answer and target share, after SQuAD normalization", needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("f1", passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        [BestTarget.score("f1", solution.answer, sample) { Self.f1(solution.answer, $0) }]
    }

    /// Returns F1 of two texts. O(words).
    static func f1(_ answer: String, _ target: String) -> Double {
        let normalization = AnswerNormalization()
        let answered = normalization.words(answer)
        let wanted = normalization.words(target)
        if answered.isEmpty || wanted.isEmpty { return answered.isEmpty && wanted.isEmpty ? 1 : 0 }
        var left: [Substring: Int] = [:]
        for word in wanted { left[word, default: 0] += 1 }
        var common = 0
        for word in answered {
            if let count = left[word], count > 0 {
                left[word] = count - 1
                common += 1
            }
        }
        guard common > 0 else { return 0 }
        let precision = Double(common) / Double(answered.count)
        let recall = Double(common) / Double(wanted.count)
        return 2 * precision * recall / (precision + recall)
    }
}
