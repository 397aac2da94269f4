public import Tokenizers

/// The number that says how well a model does on a prompt, before and after something in it was changed.
///
/// Positions count from 0, and negative ones from the end: -1 is the position that predicts the next token.
public enum PatchMetric: Hashable, Sendable {
    case logitDifference(correct: TokenID, wrong: TokenID, position: Int = -1)
    case logit(TokenID, position: Int = -1)
    case probability(TokenID, position: Int = -1)
    /// Natural logarithm of the probability.
    case logProbability(TokenID, position: Int = -1)
    /// KL(clean ‖ run) = Σ p_clean (ln p_clean − ln p_run) in nats; 0 for the clean run.
    case divergenceFromClean(position: Int = -1)
    /// Mean of −ln p of the clean prompt's next tokens, over all positions but the last.
    case loss

    /// What it is in words, with tokens as numbers.
    public var sentence: String { sentence { "token \($0)" } }

    /// What it is in words.
    ///
    /// - Parameter text: Returns the name of a token.
    public func sentence(_ text: (TokenID) -> String) -> String {
        switch self {
        case .logitDifference(let correct, let wrong, let position):
            "logit of \(text(correct)) minus logit of \(text(wrong)) at \(Self.place(position))"
        case .logit(let token, let position): "logit of \(text(token)) at \(Self.place(position))"
        case .probability(let token, let position): "probability of \(text(token)) at \(Self.place(position))"
        case .logProbability(let token, let position):
            "log-probability of \(text(token)) at \(Self.place(position))"
        case .divergenceFromClean(let position):
            "KL divergence of the clean run's distribution from the patched run's at \(Self.place(position)), in nats"
        case .loss: "mean loss on the clean prompt's next tokens, in nats"
        }
    }

    /// Tokens whose logits it reads; they must be of the vocabulary.
    var tokens: [TokenID] {
        switch self {
        case .logitDifference(let correct, let wrong, _): [correct, wrong]
        case .logit(let token, _), .probability(let token, _), .logProbability(let token, _): [token]
        case .divergenceFromClean, .loss: []
        }
    }

    /// Position that the metric reads; `nil` if it reads every position.
    var position: Int? {
        switch self {
        case .logitDifference(_, _, let position), .logit(_, let position), .probability(_, let position),
            .logProbability(_, let position), .divergenceFromClean(let position):
            position
        case .loss: nil
        }
    }

    private static func place(_ position: Int) -> String {
        position == -1
            ? "the last position" : position < 0 ? "position \(-position) from the end" : "position \(position)"
    }
}
