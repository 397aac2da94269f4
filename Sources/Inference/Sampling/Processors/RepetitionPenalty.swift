internal import LanguageModels
internal import Models

/// Divides the logit of each token that occurred, in prompt or answer, where it is positive, and multiplies it where it
/// is negative.
///
/// - Source: Keskar et al., CTRL: A Conditional Transformer Language Model, 2019, section 4.1, with the negative side as
///   transformers has it.
public struct RepetitionPenalty: LogitProcessor {
    public let penalty: Float
    public init(_ penalty: Float) { self.penalty = penalty }

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
