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
    /// - Throws: `ModelError` if a setting is out of range, or has no sampler.
    public init(_ sampling: Sampling, samplers: SamplerTable = .standard) throws(ModelError) {
        processors = []
        if !sampling.bias.isEmpty { processors.append(try LogitBias(sampling.bias)) }
        if let field = sampling.extraFields.first(where: { !samplers.contains($0) }) {
            throw ModelError(
                "sampling", problem: "unknown sampler \"\(field.name)\"", remedy: "Remove the setting.")
        }
        for sampler in samplers.samplers {
            // Temperature 0 leaves one token: removing more would only take time.
            if sampler.truncates, sampling.temperature == 0 { continue }
            guard let value = sampling[sampler.field], let processor = try sampler.processor(value) else { continue }
            processors.append(processor)
        }
    }
}

extension LogitBias {
    fileprivate init(_ bias: [Int: Double]) throws(ModelError) {
        func refuse(_ setting: String, _ value: some Any, _ remedy: String) -> ModelError {
            ModelError("sampling", problem: "\(setting) \(value) is out of range", remedy: remedy)
        }
        var checked: [TokenID: Float] = [:]
        for (id, amount) in bias {
            guard let id = TokenID(exactly: id), id >= 0 else {
                throw refuse("bias for token", id, "Use a token ID of 0 or more.")
            }
            guard amount.isFinite, abs(amount) <= 1e4 else {
                throw refuse("bias", amount, "Use a number from -100 (bans the token) to 100 (forces it).")
            }
            checked[id] = Float(amount)
        }
        self.init(checked)
    }
}

extension Float {
    /// `0.8`, `40`: as a person types it.
    var inWords: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
