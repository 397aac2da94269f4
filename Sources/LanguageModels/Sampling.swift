/// Sampling settings; values of `nil` are left to the provider.
public struct Sampling: Hashable, Sendable {
    /// Divisor of the logits; 0 selects the most probable token.
    public var temperature: Double?
    /// Number of most probable tokens to keep (top-k).
    public var topK: Int?
    /// Cumulative probability of the most probable tokens to keep (top-p, or nucleus sampling).
    public var topP: Double?
    /// Minimum probability of tokens to keep, relative to the largest probability (min-p).
    public var minP: Double?
    /// Cumulative probability of the locally typical set of tokens to keep.
    public var typicalP: Double?
    /// Factor that divides positive logits and multiplies negative logits of tokens that have occurred (CTRL).
    public var repetitionPenalty: Double?
    /// Amount subtracted once from the logit of each token that has occurred.
    public var presencePenalty: Double?
    /// Amount subtracted from the logit of a token for each of its occurrences.
    public var frequencyPenalty: Double?
    /// Values of the fields outside ``SamplingField/standard``.
    public var extras: [SamplingField: Double] = [:]
    /// Amounts added to the logits of tokens, by token ID.
    public var bias: [Int: Double]
    /// Stop sequences, which end the generation and are not part of it.
    public var stop: [String]
    /// Seed for the random numbers.
    ///
    /// Equal seeds give equal tokens for models in this process; other providers may not guarantee this.
    public var seed: UInt64?
    /// Maximum number of tokens to generate.
    public var maximumTokens: Int?

    /// Creates settings.
    public init(
        temperature: Double? = nil, topK: Int? = nil, topP: Double? = nil, minP: Double? = nil,
        typicalP: Double? = nil, repetitionPenalty: Double? = nil, presencePenalty: Double? = nil,
        frequencyPenalty: Double? = nil, bias: [Int: Double] = [:], stop: [String] = [], seed: UInt64? = nil,
        maximumTokens: Int? = nil
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.typicalP = typicalP
        self.repetitionPenalty = repetitionPenalty
        self.presencePenalty = presencePenalty
        self.frequencyPenalty = frequencyPenalty
        self.bias = bias
        self.stop = stop
        self.seed = seed
        self.maximumTokens = maximumTokens
    }

    /// Greedy sampling: the most probable token at every step.
    public static let greedy = Sampling(temperature: 0)
}
