public import Tokenizers

/// A token that might have come.
public struct LiveAlternative: Hashable, Sendable {
    public var id: TokenID
    /// Natural logarithm of its probability.
    public var logProbability: Float

    public init(id: TokenID, logProbability: Float) {
        self.id = id
        self.logProbability = logProbability
    }
}

/// What the model thought of a token before it came.
public struct TokenRecord: Hashable, Sendable {
    /// Given the tokens before; `nil` for the first, and where prompts get no probabilities.
    public var logProbability: Float?
    /// Of the distribution that it came from, in nats.
    public var entropy: Float?
    /// Most probable first.
    public var alternatives: [LiveAlternative] = []

    public init(logProbability: Float? = nil, entropy: Float? = nil, alternatives: [LiveAlternative] = []) {
        self.logProbability = logProbability
        self.entropy = entropy
        self.alternatives = alternatives
    }
}

/// One token that came.
public struct LiveToken: Hashable, Sendable {
    public var position: Int
    public var id: TokenID
    public var record: TokenRecord
    /// From the choice until everything of it was in the snapshot.
    public var seconds: Double

    public var logProbability: Float { record.logProbability ?? 0 }
    public var entropy: Float { record.entropy ?? 0 }
    public var alternatives: [LiveAlternative] { record.alternatives }
}
