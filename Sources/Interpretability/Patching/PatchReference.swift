public import Tensors
public import Tokenizers

/// The clean run that metrics are measured by: its tokens and its logits.
public struct PatchReference<Scalar: FloatingAccumulator>: Sendable {
    public var tokens: [TokenID]
    /// `[T, V]`.
    public var logits: Tensor<Scalar>

    public init(tokens: [TokenID], logits: Tensor<Scalar>) {
        self.tokens = tokens
        self.logits = logits
    }
}
