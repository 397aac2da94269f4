internal import LanguageModels

/// Takes an amount from the logit of each token that the answer holds, once.
///
/// - Source: the OpenAI API's `presence_penalty`; as there, the prompt does not count.
public struct PresencePenalty: LogitProcessor {
    public let penalty: Float
    public init(_ penalty: Float) { self.penalty = penalty }

    static let sampler = Sampler.penalty(.presencePenalty) { PresencePenalty($0) }

    public var name: String { "presence penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for id in history.answered.keys { candidates.set(id, to: candidates.logit(id) - penalty) }
    }
}
