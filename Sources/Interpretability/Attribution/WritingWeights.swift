public import Tensors

/// The matrices with which blocks write into the residual stream, as TransformerLens lays them out.
///
/// A block whose half has no matrix here (experts, a norm after the sublayer) counts as one part, by its hook.
public struct WritingWeights<Scalar: FloatingAccumulator>: Sendable {
    public struct Layer: Sendable {
        /// W_O, `[H, W, D]`.
        public var attention: Tensor<Scalar>?
        /// b_O, `[D]`.
        public var attentionBias: Tensor<Scalar>?
        /// W_out, `[M, D]`.
        public var feedForward: Tensor<Scalar>?
        /// b_out, `[D]`.
        public var feedForwardBias: Tensor<Scalar>?
        /// The block has a feed-forward at all.
        public var hasFeedForward: Bool

        public init(
            attention: Tensor<Scalar>? = nil, attentionBias: Tensor<Scalar>? = nil,
            feedForward: Tensor<Scalar>? = nil, feedForwardBias: Tensor<Scalar>? = nil, hasFeedForward: Bool = true
        ) {
            self.attention = attention
            self.attentionBias = attentionBias
            self.feedForward = feedForward
            self.feedForwardBias = feedForwardBias
            self.hasFeedForward = hasFeedForward
        }
    }

    public var layers: [Layer]

    public init(layers: [Layer]) { self.layers = layers }

    /// Layers without matrices: attention and feed-forward of each are one part.
    public init(layerCount: Int, hasFeedForward: Bool = true) {
        layers = [Layer](repeating: Layer(hasFeedForward: hasFeedForward), count: layerCount)
    }
}
