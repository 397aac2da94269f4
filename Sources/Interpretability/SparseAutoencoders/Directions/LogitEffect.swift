public import Tokenizers

/// The tokens that a feature's direction makes more and less likely, as far as the readout alone goes.
///
/// W_dec[i] W_U with the final norm's gain, minus the mean over the vocabulary: what one unit of the feature adds to
/// logits where the norm divides by 1.
public struct LogitEffect: Hashable, Sendable {
    public var feature: Int
    /// Highest first.
    public var top: [TokenEffect]
    /// Lowest first.
    public var bottom: [TokenEffect]

    public init(feature: Int, top: [TokenEffect], bottom: [TokenEffect]) {
        self.feature = feature
        self.top = top
        self.bottom = bottom
    }

    /// A token and what a feature does to its logit.
    public struct TokenEffect: Hashable, Sendable {
        public var token: TokenID
        public var value: Float

        public init(token: TokenID, value: Float) {
            self.token = token
            self.value = value
        }
    }
}
