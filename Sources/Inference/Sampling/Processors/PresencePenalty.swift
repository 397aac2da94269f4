internal import LanguageModels

/// Subtracts an amount once from the logit of each token that occurs in the reply.
///
/// - Source: `presence_penalty` of the OpenAI API. As in the API, occurrences in the prompt do not count.
public struct PresencePenalty: LogitProcessor {
    /// Amount to subtract once; negative amounts favor repetition.
    public let penalty: Float

    /// Creates the processor.
    public init(_ penalty: Float) { self.penalty = penalty }

    /// Setting `presence_penalty`.
    static let sampler = Sampler.penalty(.presencePenalty) { PresencePenalty($0) }

    public var name: String { "presence penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for id in history.answered.keys { candidates.set(id, to: candidates.logit(id) - penalty) }
    }
}
