public import LanguageModels
public import System

/// External resources of pipelines: models and a token counter.
public struct PipelineResources: Sendable {
    /// Opens a language model by the name in `rewrite.model`, `rerank.model` or `answer.model`.
    public var languageModel: @Sendable (String) throws(Problem) -> any LanguageModel
    /// Opens a cross-encoder by the name in `rerank.model`.
    public var pairScorer: @Sendable (String) throws(Problem) -> any PairScorer
    /// Returns the number of tokens of a text; if `nil`, tokens are estimated from bytes.
    public var countTokens: (@Sendable (String) -> Int)?

    public init(
        languageModel: @escaping @Sendable (String) throws(Problem) -> any LanguageModel = Self.noLanguageModel,
        pairScorer: @escaping @Sendable (String) throws(Problem) -> any PairScorer = Self.crossEncoder,
        countTokens: (@Sendable (String) -> Int)? = nil
    ) {
        self.languageModel = languageModel
        self.pairScorer = pairScorer
        self.countTokens = countTokens
    }

    /// Knows no model.
    public static let noLanguageModel: @Sendable (String) throws(Problem) -> any LanguageModel = {
        name throws(Problem) in
        throw Problem(.invalid, name, "language models are not available here")
    }

    /// Takes the name for a path.
    public static let crossEncoder: @Sendable (String) throws(Problem) -> any PairScorer = {
        name throws(Problem) in
        try CrossEncoder(path: name)
    }

    /// Tokens of a text: counted, or a token for every four bytes.
    func tokens(in text: String) -> Int { countTokens?(text) ?? (text.utf8.count + 3) / 4 }
}
