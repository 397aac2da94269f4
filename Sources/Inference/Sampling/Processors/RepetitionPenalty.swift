/// Divides the logit of each token that occurred, in prompt or answer, where it is positive, and multiplies it where it
/// is negative.
///
/// - Source: Keskar et al., CTRL: A Conditional Transformer Language Model, 2019, section 4.1, with the negative side as
///   transformers has it.
public struct RepetitionPenalty: LogitProcessor {
    public let penalty: Float
    public init(_ penalty: Float) { self.penalty = penalty }

    public var name: String { "repetition penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for id in history.distinct {
            let logit = candidates.logit(id)
            candidates.set(id, to: logit < 0 ? logit * penalty : logit / penalty)
        }
    }
}
