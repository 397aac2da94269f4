/// How the next token is drawn. A value of nil leaves the choice to the provider.
public struct Sampling: Hashable, Sendable {
    /// Logits are divided by it; 0 takes the most probable token.
    public var temperature: Double?
    /// Only the k most probable tokens stay.
    public var topK: Int?
    /// The smallest set of tokens whose probabilities sum to it stays (nucleus).
    public var topP: Double?
    /// Tokens with less than this share of the largest probability go.
    public var minP: Double?
    /// The locally typical set of this mass stays.
    public var typicalP: Double?
    /// Logits of tokens that occurred are divided by it where positive, multiplied where negative (CTRL).
    public var repetitionPenalty: Double?
    /// Taken once from the logit of a token that occurred.
    public var presencePenalty: Double?
    /// Taken from the logit of a token for each time that it occurred.
    public var frequencyPenalty: Double?
    /// Added to the logits of tokens, by id.
    public var bias: [Int: Double]
    /// Texts that end the answer; they are not part of it.
    public var stop: [String]
    /// The same seed gives the same tokens, in this process always, elsewhere as far as the provider promises.
    public var seed: UInt64?
    /// The answer ends after so many tokens.
    public var maximumTokens: Int?

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

    /// The most probable token at every step.
    public static let greedy = Sampling(temperature: 0)
}
