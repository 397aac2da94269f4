public import Tokenizers

/// A token that a feature makes more likely or less.
public struct TokenLogit: Hashable, Sendable {
    /// Token; `nil` if only its text is known.
    public var token: TokenID?
    /// Text; `nil` if the vocabulary determines it.
    public var text: String?
    /// What an activation of 1 adds to its logit, less the mean over all tokens.
    public var value: Float

    /// A token, or only its text, and what the feature adds to its logit.
    public init(token: TokenID?, text: String? = nil, value: Float) {
        self.token = token
        self.text = text
        self.value = value
    }
}

/// What a feature does to the logits.
public struct FeatureLogits: Hashable, Sendable {
    /// The largest, largest first.
    public var positive: [TokenLogit]
    /// The least, least first.
    public var negative: [TokenLogit]

    /// Effects, strongest first each.
    public init(positive: [TokenLogit] = [], negative: [TokenLogit] = []) {
        self.positive = positive
        self.negative = negative
    }
}

/// Gives the effects of a range of features on the logits, one a feature.
public typealias FeatureLogitSource = (Range<Int>) throws -> [FeatureLogits]
