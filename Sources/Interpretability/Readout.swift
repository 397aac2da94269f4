public import Tensors

/// The last step of a model: logits = norm(x) W_U + b_U, capped if the model caps them.
public struct Readout<Scalar: FloatingAccumulator>: Sendable {
    /// How rows of the stream are normed first.
    public enum Norm: Sendable {
        case none
        /// Centered and divided by √(variance + ε), then gain and bias; a folded norm has gain 1 and bias 0.
        case layer(gain: Tensor<Scalar>, bias: Tensor<Scalar>, epsilon: Scalar)
        /// Divided by √(mean of squares + ε), then gain.
        case rms(gain: Tensor<Scalar>, epsilon: Scalar)
    }

    /// What comes before the matrix.
    public var norm: Norm
    /// `[D, V]`.
    public var unembedding: Tensor<Scalar>
    /// `[V]`; `nil` for none.
    public var bias: Tensor<Scalar>?
    /// c of c·tanh(z / c).
    public var softcap: Scalar?

    public init(norm: Norm, unembedding: Tensor<Scalar>, bias: Tensor<Scalar>? = nil, softcap: Scalar? = nil) {
        self.norm = norm
        self.unembedding = unembedding
        self.bias = bias
        self.softcap = softcap
    }
}
