/// A model that tells how probable a given text is, token by token: what multiple choice and perplexity are read from.
public protocol LikelihoodModel: LanguageModel {
    /// The log-probability of `continuation` after `context`, on the calling thread.
    ///
    /// Both are tokenized together; tokens that reach over the seam belong to the continuation, as the evaluation
    /// harness has it. An empty context stands for the model's end-of-text token.
    func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood

    /// The log-probability of a whole text, each token given all before it; a text that is longer than the context is
    /// read in windows that do not overlap, each behind one token of the window before.
    func likelihood(ofAll text: String, isCancelled: @Sendable () -> Bool) throws(LanguageModelError) -> Likelihood
}

/// How probable a text is to a model.
public struct Likelihood: Hashable, Sendable {
    /// Natural logarithm: the sum over the tokens.
    public var logProbability: Double
    /// Whether every token was the most probable one.
    public var isGreedy: Bool
    /// The tokens that were counted, with their own logarithms.
    public var tokens: [Token]
    /// What the request cost; nil where it was not told.
    public var usage: Usage?
    /// How the tokens of the continuation were told from those of the context, where there is more than one way: `remote
    /// tokenizer`, `text offsets`.
    public var rule: String?
    /// The end of `rule` where the other side told no alternatives: `isGreedy` is not known then, and false.
    public static let withoutAlternatives = "without alternatives"

    public struct Token: Hashable, Sendable {
        public var text: String
        public var id: Int?
        /// Natural logarithm.
        public var logProbability: Double
        public var isGreedy: Bool

        public init(text: String, id: Int? = nil, logProbability: Double, isGreedy: Bool) {
            self.text = text
            self.id = id
            self.logProbability = logProbability
            self.isGreedy = isGreedy
        }
    }

    public init(logProbability: Double, isGreedy: Bool, tokens: [Token] = [], usage: Usage? = nil) {
        self.logProbability = logProbability
        self.isGreedy = isGreedy
        self.tokens = tokens
        self.usage = usage
    }
}
