internal import LanguageModels

/// Takes an amount from the logit of each token that the answer holds, for each time that it does.
///
/// - Source: the OpenAI API's `frequency_penalty`; as there, the prompt does not count.
public struct FrequencyPenalty: LogitProcessor {
    public let penalty: Float
    public init(_ penalty: Float) { self.penalty = penalty }

    static let sampler = Sampler.penalty(.frequencyPenalty) { FrequencyPenalty($0) }

    public var name: String { "frequency penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for (id, times) in history.answered {
            candidates.set(id, to: candidates.logit(id) - Float(times) * penalty)
        }
    }
}
