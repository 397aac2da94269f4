internal import LanguageModels

/// Subtracts an amount from the logit of a token for each of its occurrences in the reply.
///
/// - Source: `frequency_penalty` of the OpenAI API. As in the API, occurrences in the prompt do not count.
public struct FrequencyPenalty: LogitProcessor {
    /// Amount to subtract per occurrence; negative amounts favor repetition.
    public let penalty: Float

    /// Creates the processor.
    public init(_ penalty: Float) { self.penalty = penalty }

    /// Setting `frequency_penalty`.
    static let sampler = Sampler.penalty(.frequencyPenalty) { FrequencyPenalty($0) }

    public var name: String { "frequency penalty \(penalty.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for (id, times) in history.answered {
            candidates.set(id, to: candidates.logit(id) - Float(times) * penalty)
        }
    }
}
