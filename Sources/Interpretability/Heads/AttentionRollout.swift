internal import Models
public import System
public import Tensors

extension ActivationCache {
    /// Attention rollout: how much of each token is in each position after all layers, `[T, T]`, rows adding up to 1.
    ///
    /// The product over layers of ½ (A + I), A the mean of a layer's heads, the last layer on the left; the ½ I stands
    /// for the stream that passes attention by.
    ///
    /// - Parameter layers: Layers to roll out, starting with the first.
    /// - Throws: An error if `attn.hook_pattern` of a layer was not kept, or is not of the whole text. O(layers · T³).
    /// - Source: Abnar and Zuidema, "Quantifying attention flow in transformers", ACL 2020.
    public func attentionRollout(layers: Range<Int>) throws(Problem) -> Tensor<Scalar> {
        let size = tokens.count
        let identity = try telling { try Tensor<Scalar>.eye(size) }
        var rollout = identity
        for layer in layers {
            let pattern = try self[.pattern(layer: layer)]
            guard pattern.shape.dropFirst() == [size, size] else {
                throw Problem(
                    .invalid, "pattern of layer \(layer)",
                    "shape \(pattern.shape) does not cover all \(size) queries and keys",
                    remedy: "Rerun the text from its first token.")
            }
            rollout = try telling {
                let mixed = try (pattern.mean(0) + identity) * 0.5
                let rows = try mixed / mixed.sum(-1, keepingAxes: true)
                return try matmul(rows, rollout)
            }
        }
        return rollout
    }
}
