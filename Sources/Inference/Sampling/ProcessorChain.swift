public import LanguageModels
public import Models
internal import Tokenizers

/// A sequence of logit processors, applied in order.
///
/// The chain of a request starts with the logit bias and continues in the order of its ``SamplerTable``. It omits
/// processors that would have no effect.
public struct ProcessorChain: Sendable {
    /// Processors in the order of their application.
    public var processors: [any LogitProcessor]

    /// Creates a chain of processors.
    public init(_ processors: [any LogitProcessor] = []) { self.processors = processors }

    /// Creates the chain for the settings of a request.
    ///
    /// Without settings, the chain is empty and tokens are drawn from the model's distribution: temperature 1, no
    /// truncation.
    ///
    /// - Throws: `ModelError` if a setting is out of range or has no sampler in the table.
    public init(_ sampling: Sampling, samplers: SamplerTable = .standard) throws(ModelError) {
        processors = []
        if !sampling.bias.isEmpty { processors.append(try LogitBias(sampling.bias)) }
        if let field = sampling.extraFields.first(where: { !samplers.contains($0) }) {
            throw ModelError(
                "sampling", problem: "unknown sampler \"\(field.name)\"", remedy: "Remove the setting.")
        }
        for sampler in samplers.samplers {
            // At temperature 0 one token is left, so truncation would only cost time.
            if sampler.truncates, sampling.temperature == 0 { continue }
            guard let value = sampling[sampler.field], let processor = try sampler.makeProcessor(value) else {
                continue
            }
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
    /// The number without a trailing `.0`, such as `0.8` or `40`.
    var inWords: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
