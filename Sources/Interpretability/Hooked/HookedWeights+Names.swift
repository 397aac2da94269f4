public import System
public import Tensors

extension HookedWeights {
    /// All weights by TransformerLens's names, in the order of the pass: `embed.W_E`, `blocks.0.attn.W_Q`. Keys and
    /// values of grouped queries are `_W_K` and `_W_V` there; missing biases are omitted. `b_linear` and `b_gate` of
    /// gated feed-forwards have our own names, because TransformerLens has no such weights.
    public var named: [(name: String, tensor: Tensor<Scalar>)] {
        var found: [(name: String, tensor: Tensor<Scalar>)] = []
        func add(_ name: String, _ tensor: Tensor<Scalar>?) { if let tensor { found.append((name, tensor)) } }
        func add(_ name: String, _ norm: Norm) {
            add("\(name).w", norm.gain)
            add("\(name).b", norm.bias)
        }
        add("embed.W_E", embedding)
        add("pos_embed.W_pos", positions)
        for (layer, block) in blocks.enumerated() {
            let prefix = "blocks.\(layer)"
            let grouped = block.key.shape[0] == block.query.shape[0] ? "" : "_"
            add("\(prefix).ln1", block.attentionNorm)
            add("\(prefix).attn.W_Q", block.query)
            add("\(prefix).attn.\(grouped)W_K", block.key)
            add("\(prefix).attn.\(grouped)W_V", block.value)
            add("\(prefix).attn.W_O", block.output)
            add("\(prefix).attn.b_Q", block.queryBias)
            add("\(prefix).attn.\(grouped)b_K", block.keyBias)
            add("\(prefix).attn.\(grouped)b_V", block.valueBias)
            add("\(prefix).attn.b_O", block.outputBias)
            add("\(prefix).attn.q_norm.w", block.queryNorm)
            add("\(prefix).attn.k_norm.w", block.keyNorm)
            add("\(prefix).ln1_post", block.attentionPostNorm)
            add("\(prefix).ln2", block.feedForwardNorm)
            if let part = block.feedForward {
                add("\(prefix).mlp.W_in", part.input)
                add("\(prefix).mlp.b_in", part.gate == nil ? part.inputBias : part.productBias)
                add("\(prefix).mlp.b_linear", part.gate == nil ? nil : part.inputBias)
                add("\(prefix).mlp.W_gate", part.gate)
                add("\(prefix).mlp.b_gate", part.gateBias)
                add("\(prefix).mlp.W_out", part.output)
                add("\(prefix).mlp.b_out", part.outputBias)
            }
            if let mixture = block.experts {
                // Linear layers there, which hold the transpose.
                add("\(prefix).mlp.W_gate.weight", mixture.router.transposed())
                add("\(prefix).mlp.W_gate.bias", mixture.routerBias)
                for (number, expert) in mixture.experts.enumerated() {
                    let name = "\(prefix).mlp.experts.\(number)"
                    add("\(name).W_in.weight", expert.input.transposed())
                    add("\(name).W_in.bias", expert.inputBias)
                    add("\(name).W_gate.weight", expert.gate?.transposed())
                    add("\(name).W_gate.bias", expert.gateBias)
                    add("\(name).W_out.weight", expert.output.transposed())
                    add("\(name).W_out.bias", expert.outputBias)
                }
            }
            add("\(prefix).ln2_post", block.feedForwardPostNorm)
        }
        add("ln_final", finalNorm)
        add("unembed.W_U", unembedding)
        add("unembed.b_U", unembeddingBias)
        return found
    }

    /// The weights of a state dict of TransformerLens.
    ///
    /// - Throws: An error if a matrix is missing; the sentence names it.
    public init(named tensors: [String: Tensor<Scalar>]) throws(Problem) {
        func need(_ names: String...) throws(Problem) -> Tensor<Scalar> {
            for name in names { if let tensor = tensors[name] { return tensor } }
            throw Problem(.missing, names[0], "missing", remedy: "Use the names of TransformerLens's state dict.")
        }
        func norm(_ name: String) -> Norm { Norm(gain: tensors["\(name).w"], bias: tensors["\(name).b"]) }
        func part(_ name: String, _ suffix: (weight: String, bias: String)) throws(Problem) -> FeedForward {
            func turned(_ tensor: Tensor<Scalar>) -> Tensor<Scalar> {
                suffix.weight.isEmpty ? tensor : tensor.transposed()
            }
            func bias(_ which: String) -> Tensor<Scalar>? {
                tensors[suffix.weight.isEmpty ? "\(name).b_\(which)" : "\(name).W_\(which)\(suffix.bias)"]
            }
            var part = FeedForward(
                input: turned(try need("\(name).W_in\(suffix.weight)")),
                gate: tensors["\(name).W_gate\(suffix.weight)"].map(turned),
                output: turned(try need("\(name).W_out\(suffix.weight)")))
            (part.inputBias, part.gateBias, part.outputBias) = (bias("in"), bias("gate"), bias("out"))
            if part.gate != nil, suffix.weight.isEmpty {
                (part.productBias, part.inputBias) = (part.inputBias, bias("linear"))
            }
            return part
        }
        func block(_ layer: Int) throws(Problem) -> Block {
            let prefix = "blocks.\(layer)"
            let attention = "\(prefix).attn"
            var block = Block(
                query: try need("\(attention).W_Q"), key: try need("\(attention).W_K", "\(attention)._W_K"),
                value: try need("\(attention).W_V", "\(attention)._W_V"), output: try need("\(attention).W_O"))
            block.queryBias = tensors["\(attention).b_Q"]
            block.keyBias = tensors["\(attention).b_K"] ?? tensors["\(attention)._b_K"]
            block.valueBias = tensors["\(attention).b_V"] ?? tensors["\(attention)._b_V"]
            block.outputBias = tensors["\(attention).b_O"]
            (block.queryNorm, block.keyNorm) = (tensors["\(attention).q_norm.w"], tensors["\(attention).k_norm.w"])
            (block.attentionNorm, block.attentionPostNorm) = (norm("\(prefix).ln1"), norm("\(prefix).ln1_post"))
            (block.feedForwardNorm, block.feedForwardPostNorm) = (norm("\(prefix).ln2"), norm("\(prefix).ln2_post"))
            if let router = tensors["\(prefix).mlp.W_gate.weight"] {
                var experts: [FeedForward] = []
                while tensors["\(prefix).mlp.experts.\(experts.count).W_in.weight"] != nil {
                    experts.append(try part("\(prefix).mlp.experts.\(experts.count)", (".weight", ".bias")))
                }
                block.experts = Experts(router: router.transposed(), experts: experts)
                block.experts?.routerBias = tensors["\(prefix).mlp.W_gate.bias"]
            } else if tensors["\(prefix).mlp.W_in"] != nil {
                block.feedForward = try part("\(prefix).mlp", ("", ""))
            }
            return block
        }
        var blocks: [Block] = []
        while tensors["blocks.\(blocks.count).attn.W_Q"] != nil { blocks.append(try block(blocks.count)) }
        self.init(
            embedding: try need("embed.W_E"), positions: tensors["pos_embed.W_pos"], blocks: blocks,
            unembedding: try need("unembed.W_U"))
        finalNorm = norm("ln_final")
        unembeddingBias = tensors["unembed.b_U"]
    }
}
