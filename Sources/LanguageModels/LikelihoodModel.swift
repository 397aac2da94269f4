/// A model that reports the probability of a given text for each token, for multiple choice and perplexity.
public protocol LikelihoodModel: LanguageModel {
    /// Returns the log-probability of `continuation` after `context`, computed on the calling thread.
    ///
    /// Both texts are tokenized together; a token that spans the boundary belongs to the continuation, as in
    /// lm-evaluation-harness. An empty context means the model's end-of-text token.
    func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood

    /// Returns the log-probability of a complete text, each token given all preceding tokens.
    ///
    /// Text longer than the context is split into windows that do not overlap. The first token of a window is predicted
    /// from the last token of the previous window.
    func likelihood(ofAll text: String, isCancelled: @Sendable () -> Bool) throws(LanguageModelError) -> Likelihood
}

/// The probability of a text under a model.
public struct Likelihood: Hashable, Sendable {
    /// Natural logarithm of the probability: the sum over all tokens.
    public var logProbability: Double
    /// Whether every token was the most probable one; `false` if unknown.
    public var isGreedy: Bool
    /// Scored tokens with their log-probabilities.
    public var tokens: [Token]
    /// Token usage of the request; `nil` if not reported.
    public var usage: Usage?
    /// Method used to separate continuation tokens from context tokens, such as `remote tokenizer` or
    /// `text offsets`; `nil` if there is only one method.
    public var rule: String?
    /// Suffix of `rule` if `isGreedy` is unknown because the server reports no alternatives.
    public static let withoutAlternatives = "without alternatives"

    /// A scored token.
    public struct Token: Hashable, Sendable {
        /// Text of the token.
        public var text: String
        /// Token ID; `nil` if not reported.
        public var id: Int?
        /// Natural logarithm of the probability.
        public var logProbability: Double
        /// Whether the token was the most probable one.
        public var isGreedy: Bool

        /// Creates a scored token.
        public init(text: String, id: Int? = nil, logProbability: Double, isGreedy: Bool) {
            self.text = text
            self.id = id
            self.logProbability = logProbability
            self.isGreedy = isGreedy
        }
    }

    /// Creates a likelihood.
    public init(logProbability: Double, isGreedy: Bool, tokens: [Token] = [], usage: Usage? = nil) {
        self.logProbability = logProbability
        self.isGreedy = isGreedy
        self.tokens = tokens
        self.usage = usage
    }
}
