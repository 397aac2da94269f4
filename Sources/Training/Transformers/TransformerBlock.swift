internal import Models
internal import Tensors

/// The parameters of one block, found once.
struct TransformerBlock<Scalar: FloatingAccumulator> {
    typealias Parameters = [String: Parameter<Scalar>]

    /// A linear layer y = W x + b.
    struct Linear {
        /// `blk.0.attn_q`.
        let name: String
        let weight: Parameter<Scalar>
        let bias: Parameter<Scalar>?

        /// - Parameter role: the name by which adapters know it, where that is another: a tied output.
        init?(_ name: String, _ parameters: Parameters, called role: String? = nil) {
            guard let weight = parameters["\(name).weight"] else { return nil }
            self.name = role ?? name
            self.weight = weight
            bias = parameters["\(name).bias"]
        }

        var outputs: Int { weight.shape[0] }
    }

    struct Norm {
        let gain: Parameter<Scalar>
        let bias: Parameter<Scalar>?

        init?(_ name: String, _ parameters: Parameters) {
            guard let gain = parameters["\(name).weight"] else { return nil }
            self.gain = gain
            bias = parameters["\(name).bias"]
        }
    }

    struct Expert {
        let gate: Linear
        let up: Linear
        let down: Linear
    }

    let layer: Int
    let attentionNorm: Norm?
    /// Query, key and value, or one that is all three.
    let input: [Linear]
    let queryNorm: Norm?
    let keyNorm: Norm?
    let output: Linear?
    let attentionPostNorm: Norm?
    let feedForwardNorm: Norm?
    let gate: Linear?
    let up: Linear?
    let down: Linear?
    let router: Linear?
    let experts: [Expert]
    let feedForwardPostNorm: Norm?

    init(_ configuration: ModelConfiguration, layer: Int, _ parameters: Parameters) {
        func name(_ part: String) -> String { "blk.\(layer).\(part)" }
        func linear(_ part: String) -> Linear? { Linear(name(part), parameters) }
        func norm(_ part: String) -> Norm? { Norm(name(part), parameters) }
        self.layer = layer
        input = ["attn_qkv", "attn_q", "attn_k", "attn_v"].compactMap(linear)
        (queryNorm, keyNorm) = (norm("attn_q_norm"), norm("attn_k_norm"))
        output = linear("attn_output")
        attentionNorm = norm("attn_norm")
        (attentionPostNorm, feedForwardNorm, feedForwardPostNorm) =
            configuration.isEncoder
            ? (norm("attn_output_norm"), nil, norm("layer_output_norm"))
            : (norm("post_attention_norm"), norm("ffn_norm"), norm("post_ffw_norm"))
        (gate, up, down, router) = (linear("ffn_gate"), linear("ffn_up"), linear("ffn_down"), linear("ffn_gate_inp"))
        experts = (0..<(configuration.experts?.count ?? 0)).compactMap { expert in
            guard let gate = linear("ffn_gate.\(expert)"), let up = linear("ffn_up.\(expert)"),
                let down = linear("ffn_down.\(expert)")
            else { return nil }
            return Expert(gate: gate, up: up, down: down)
        }
    }

    /// Every parameter of the block.
    var parameters: [Parameter<Scalar>] {
        let norms = [attentionNorm, queryNorm, keyNorm, attentionPostNorm, feedForwardNorm, feedForwardPostNorm]
        let linears = input + [output, gate, up, down, router].compactMap { $0 }
        let all = linears + experts.flatMap { [$0.gate, $0.up, $0.down] }
        return norms.compactMap { $0 }.flatMap { [$0.gain] + ($0.bias.map { [$0] } ?? []) }
            + all.flatMap { [$0.weight] + ($0.bias.map { [$0] } ?? []) }
    }
}
