internal import Models
public import System
internal import Tensors

extension HookedConfiguration {
    /// What weights tell of their model: all sizes, the kind of norm by its gains and biases, learned positions where
    /// there is a table. Everything else is as in GPT-2, or in Llama where the feed-forward has a gate: a state dict does
    /// not say it.
    ///
    /// Without a table of positions heads turn whole at a base of 10,000, pairs in halves.
    ///
    /// - Throws: An error if matrices are not per head.
    public init<Scalar>(of weights: HookedWeights<Scalar>) throws(Problem) {
        guard weights.embedding.rank == 2, let block = weights.blocks.first, block.query.rank == 3,
            block.key.rank == 3, block.value.rank == 3
        else {
            throw Problem(
                .invalid, "blocks.0.attn.W_Q", "expected one matrix per head, [heads, D, W]",
                remedy: "Use the names and shapes of TransformerLens's state dict.")
        }
        let norms = weights.blocks.map(\.attentionNorm) + [weights.finalNorm]
        let hasBias = norms.contains { $0.bias != nil }
        var feedForward = FeedForward.none
        if let part = block.feedForward, let width = part.input.shape.last {
            feedForward = part.gate == nil ? .plain(width: width) : .gated(width: width)
        } else if let mixture = block.experts, let inner = mixture.experts.first?.input.shape.last {
            feedForward = .experts(
                ExpertConfiguration(
                    count: mixture.experts.count, used: 2, feedForwardWidth: inner, normalizesWeights: true))
        }
        let headWidth = block.query.shape[2]
        self.init(
            vocabularySize: weights.embedding.shape[0], width: weights.embedding.shape[1],
            layerCount: weights.blocks.count, headCount: block.query.shape[0], kvHeadCount: block.key.shape[0],
            headWidth: headWidth, valueWidth: block.value.shape[2],
            contextLength: weights.positions?.shape.first ?? 2048,
            norm: hasBias ? .layer : norms.contains { $0.gain != nil } ? .rms : .none, feedForward: feedForward,
            activation: block.experts != nil || block.feedForward?.gate != nil ? .silu : .geluTanh,
            positions: weights.positions != nil
                ? .learned : .rotary(RotaryEmbedding(base: 10_000, width: headWidth, pairing: .halves)),
            normsHeads: block.queryNorm != nil, isSandwich: block.attentionPostNorm.gain != nil)
    }
}

extension HookedConfiguration {
    /// Settings that the weights do not imply, as metadata texts of a file. Scaled rotation and windows are not
    /// included.
    var notes: [String: String] {
        var notes = [
            "orrery.name": name, "orrery.norm": norm.rawValue, "orrery.norm_epsilon": "\(normEpsilon)",
            "orrery.activation": activation.rawValue, "orrery.attention_scale": "\(attentionScale)",
            "orrery.embedding_scale": "\(embeddingScale)", "orrery.context": "\(contextLength)",
        ]
        notes["orrery.attention_softcap"] = attentionSoftcap.map { "\($0)" }
        notes["orrery.final_softcap"] = finalSoftcap.map { "\($0)" }
        switch positions {
        case .learned: notes["orrery.positions"] = "learned"
        case .sinusoidal: notes["orrery.positions"] = "sinusoidal"
        case .alibi: notes["orrery.positions"] = "alibi"
        case .none: notes["orrery.positions"] = "none"
        case .rotary(let rotary):
            notes["orrery.positions"] = "rotary"
            notes["orrery.rotary_base"] = "\(rotary.base)"
            notes["orrery.rotary_width"] = "\(rotary.width)"
            notes["orrery.rotary_pairing"] = rotary.pairing.rawValue
        }
        return notes
    }

    /// Takes over what a file says; what it does not say stays.
    mutating func adopt(_ notes: [String: String]) {
        func number(_ key: String) -> Double? { notes["orrery.\(key)"].flatMap(Double.init) }
        name = notes["orrery.name"] ?? name
        norm = notes["orrery.norm"].flatMap(Norm.init(rawValue:)) ?? norm
        activation = notes["orrery.activation"].flatMap(Models.Activation.init(rawValue:)) ?? activation
        normEpsilon = number("norm_epsilon") ?? normEpsilon
        attentionScale = number("attention_scale") ?? attentionScale
        embeddingScale = number("embedding_scale") ?? embeddingScale
        attentionSoftcap = number("attention_softcap") ?? attentionSoftcap
        finalSoftcap = number("final_softcap") ?? finalSoftcap
        contextLength = notes["orrery.context"].flatMap { Int($0) } ?? contextLength
        switch notes["orrery.positions"] {
        case "sinusoidal": positions = .sinusoidal
        case "alibi": positions = .alibi
        case "none": positions = .none
        case "rotary":
            let width = notes["orrery.rotary_width"].flatMap { Int($0) } ?? headWidth
            let pairing = notes["orrery.rotary_pairing"].flatMap(RotaryEmbedding.Pairing.init(rawValue:)) ?? .halves
            guard width > 0, width <= headWidth, width % 2 == 0 else { return }
            positions = .rotary(
                RotaryEmbedding(base: Float(number("rotary_base") ?? 10_000), width: width, pairing: pairing))
        default: break
        }
    }
}
