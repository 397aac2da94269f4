internal import LanguageModels
internal import Models

/// Reduces the logits of tokens that occur in the prompt or reply: divides positive logits by a factor, and multiplies
/// negative ones.
///
/// - Source: Keskar et al., CTRL: A Conditional Transformer Language Model, 2019, section 4.1; negative logits as in
///   transformers.
public struct RepetitionPenalty: LogitProcessor {
    /// Factor above 0; 1 has no effect, and larger factors discourage repetition.
    public let penalty: Float

    /// Creates the processor.
    public init(_ penalty: Float) { self.penalty = penalty }

    /// Setting `repetition_penalty`.
    static let sampler = Sampler(.repetitionPenalty) { value throws(ModelError) in
        guard value.double != 1 else { return nil }
        guard value.double > 0, value.double.isFinite else {
            throw Sampler.outOfRange(
                .repetitionPenalty, value, "Use a number above 0, such as 1.1. 1 has no effect.")
        }
        return RepetitionPenalty(Float(value.double))
    }

    public var name: String { "repetition penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for id in history.distinct {
            let logit = candidates.logit(id)
            candidates.set(id, to: logit < 0 ? logit * penalty : logit / penalty)
        }
    }
}
