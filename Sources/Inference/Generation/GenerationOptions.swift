public import LanguageModels
public import Models
public import Tokenizers

/// The sampling and end conditions of a generation.
public struct GenerationOptions: Sendable {
    public var chain: ProcessorChain
    public var random: CounterRandom
    /// Texts that end the answer; they are not part of it.
    public var stop: [String]
    /// Tokens that end the generation; `nil` for the end tokens of the vocabulary.
    public var endTokens: Set<TokenID>?
    /// Maximum number of tokens; `nil` fills the context.
    public var maximumTokens: Int?
    /// Number of alternatives to report for each token.
    public var alternatives: Int
    /// Whether to report the effect of every logit processor on the alternatives.
    public var showsStages: Bool

    /// Creates options from the settings of a request.
    ///
    /// - Parameters:
    ///   - sampling: Sampling settings (default: random seed, temperature 1).
    ///   - samplers: Samplers that `sampling` can use.
    /// - Throws: `ModelError` if a setting is out of range or has no sampler in the table.
    public init(
        _ sampling: Sampling = Sampling(), alternatives: Int = 0, showsStages: Bool = false,
        samplers: SamplerTable = .standard
    ) throws(ModelError) {
        chain = try ProcessorChain(sampling, samplers: samplers)
        random = CounterRandom(seed: sampling.seed ?? UInt64.random(in: .min ... .max))
        stop = sampling.stop
        maximumTokens = sampling.maximumTokens
        self.alternatives = max(0, alternatives)
        self.showsStages = showsStages
    }
}
