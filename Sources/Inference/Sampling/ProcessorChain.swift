public import LanguageModels
public import Models
internal import Tokenizers

/// Processors in the order in which they work.
///
/// That of transformers: bias, repetition, presence and frequency penalty, then temperature, top-k, top-p, min-p,
/// typical. One that would change nothing is left out.
public struct ProcessorChain: Sendable {
    public var processors: [any LogitProcessor]

    public init(_ processors: [any LogitProcessor] = []) { self.processors = processors }

    /// Creates the chain of a request; `nil` settings keep the model's own distribution: temperature 1, no limits.
    ///
    /// - Throws: `ModelError` where a setting has no meaning.
    public init(_ sampling: Sampling) throws(ModelError) {
        func refuse(_ setting: String, _ value: some Any, _ remedy: String) -> ModelError {
            ModelError("sampling", problem: "\(setting) \(value) is out of range", remedy: remedy)
        }
        processors = []
        if !sampling.bias.isEmpty {
            var bias: [TokenID: Float] = [:]
            for (id, amount) in sampling.bias {
                guard let id = TokenID(exactly: id), id >= 0 else {
                    throw refuse("bias for token", id, "Use a token ID of 0 or more.")
                }
                guard amount.isFinite, abs(amount) <= 1e4 else {
                    throw refuse("bias", amount, "Use a number from -100 (bans the token) to 100 (forces it).")
                }
                bias[id] = Float(amount)
            }
            processors.append(LogitBias(bias))
        }
        if let penalty = sampling.repetitionPenalty, penalty != 1 {
            guard penalty > 0, penalty.isFinite else {
                throw refuse("repetition penalty", penalty, "Use a number above 0, such as 1.1. 1 has no effect.")
            }
            processors.append(RepetitionPenalty(Float(penalty)))
        }
        if let penalty = sampling.presencePenalty, penalty != 0 {
            guard abs(penalty) <= 1e4 else { throw refuse("presence penalty", penalty, "Use a number from -2 to 2.") }
            processors.append(PresencePenalty(Float(penalty)))
        }
        if let penalty = sampling.frequencyPenalty, penalty != 0 {
            guard abs(penalty) <= 1e4 else { throw refuse("frequency penalty", penalty, "Use a number from -2 to 2.") }
            processors.append(FrequencyPenalty(Float(penalty)))
        }
        if let temperature = sampling.temperature, temperature != 1 {
            guard temperature >= 0, temperature.isFinite else {
                throw refuse("temperature", temperature, "Use 0 for the most likely token, or a number up to 100.")
            }
            processors.append(Temperature(Float(temperature)))
        }
        try appendTruncation(sampling, refuse)
    }

    private mutating func appendTruncation(
        _ sampling: Sampling, _ refuse: (String, Double, String) -> ModelError
    ) throws(ModelError) {
        func share(_ name: String, _ value: Double?) throws(ModelError) -> Double? {
            guard let value else { return nil }
            guard value >= 0, value <= 1 else { throw refuse(name, value, "Use a number from 0 to 1.") }
            return value
        }
        // One token is left already: the others would only take time.
        if sampling.temperature == 0 { return }
        if let k = sampling.topK, k != 0 {
            guard k > 0 else { throw refuse("top-k", Double(k), "Use 0 to keep all tokens, or a number above 0.") }
            processors.append(TopK(k))
        }
        if let p = try share("top-p", sampling.topP), p < 1 { processors.append(TopP(p)) }
        if let p = try share("min-p", sampling.minP), p > 0 { processors.append(MinP(p)) }
        if let mass = try share("typical-p", sampling.typicalP), mass < 1 { processors.append(Typical(mass)) }
    }
}

extension Float {
    /// `0.8`, `40`: as a person types it.
    var inWords: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
