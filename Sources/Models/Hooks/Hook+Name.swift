extension Hook {
    /// The block it belongs to; nil for those before and after the blocks.
    public var layer: Int? {
        switch self {
        case .embedding, .positionEmbedding, .finalNormScale, .finalNormalized, .logits: nil
        case .residualPre(let layer), .attentionNormScale(let layer), .attentionNormalized(let layer),
            .query(let layer), .key(let layer), .value(let layer), .rotatedQuery(let layer), .rotatedKey(let layer),
            .scores(let layer), .pattern(let layer), .z(let layer), .attentionOut(let layer),
            .residualMid(let layer), .feedForwardNormScale(let layer), .feedForwardNormalized(let layer),
            .feedForwardPre(let layer), .feedForwardLinear(let layer), .feedForwardPost(let layer),
            .expertLogits(let layer), .expertWeights(let layer), .feedForwardOut(let layer),
            .residualPost(let layer):
            layer
        }
    }

    /// TransformerLens's name: `blocks.3.attn.hook_pattern`.
    public var name: String {
        guard let layer else { return Self.outside.first { $0.hook == self }?.name ?? "" }
        return "blocks.\(layer).\(Self.inBlocks.first { $0.hook(layer) == self }?.name ?? "")"
    }

    /// Creates the hook with a name; `nil` if there is none.
    public init?(_ name: some StringProtocol) {
        guard name.hasPrefix("blocks.") else {
            guard let found = Self.outside.first(where: { $0.name == name }) else { return nil }
            self = found.hook
            return
        }
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let layer = Int(parts[1]), layer >= 0, String(layer) == parts[1],
            let found = Self.inBlocks.first(where: { $0.name == parts[2] })
        else { return nil }
        self = found.hook(layer)
    }

    /// Every hook of a model, in the order of the pass.
    public static func allCases(for configuration: ModelConfiguration) -> [Hook] {
        let blocks = (0..<configuration.layerCount).flatMap { layer in
            inBlocks.map { $0.hook(layer) }
        }
        let all = outside.filter { $0.isFirst }.map(\.hook) + blocks + outside.filter { !$0.isFirst }.map(\.hook)
        return all.filter { $0.exists(in: configuration) }
    }

    private static let outside: [(hook: Hook, name: String, isFirst: Bool)] = [
        (.embedding, "hook_embed", true), (.positionEmbedding, "hook_pos_embed", true),
        (.finalNormScale, "ln_final.hook_scale", false), (.finalNormalized, "ln_final.hook_normalized", false),
        (.logits, "unembed.hook_out", false),
    ]

    private static let inBlocks: [(name: String, hook: @Sendable (Int) -> Hook)] = [
        ("hook_resid_pre", { .residualPre(layer: $0) }),
        ("ln1.hook_scale", { .attentionNormScale(layer: $0) }),
        ("ln1.hook_normalized", { .attentionNormalized(layer: $0) }),
        ("attn.hook_q", { .query(layer: $0) }),
        ("attn.hook_k", { .key(layer: $0) }),
        ("attn.hook_v", { .value(layer: $0) }),
        ("attn.hook_rot_q", { .rotatedQuery(layer: $0) }),
        ("attn.hook_rot_k", { .rotatedKey(layer: $0) }),
        ("attn.hook_attn_scores", { .scores(layer: $0) }),
        ("attn.hook_pattern", { .pattern(layer: $0) }),
        ("attn.hook_z", { .z(layer: $0) }),
        ("hook_attn_out", { .attentionOut(layer: $0) }),
        ("hook_resid_mid", { .residualMid(layer: $0) }),
        ("ln2.hook_scale", { .feedForwardNormScale(layer: $0) }),
        ("ln2.hook_normalized", { .feedForwardNormalized(layer: $0) }),
        ("mlp.hook_pre", { .feedForwardPre(layer: $0) }),
        ("mlp.hook_pre_linear", { .feedForwardLinear(layer: $0) }),
        ("mlp.hook_post", { .feedForwardPost(layer: $0) }),
        ("mlp.hook_expert_logits", { .expertLogits(layer: $0) }),
        ("mlp.hook_expert_weights", { .expertWeights(layer: $0) }),
        ("hook_mlp_out", { .feedForwardOut(layer: $0) }),
        ("hook_resid_post", { .residualPost(layer: $0) }),
    ]

    private func exists(in configuration: ModelConfiguration) -> Bool {
        switch self {
        case .positionEmbedding: configuration.positions == .learned || configuration.positions == .sinusoidal
        case .rotatedQuery, .rotatedKey:
            if case .rotary = configuration.positions { true } else { false }
        case .feedForwardPre, .feedForwardPost: configuration.experts == nil
        case .feedForwardLinear: configuration.experts == nil && configuration.family.isGated
        case .expertLogits, .expertWeights: configuration.experts != nil
        case .finalNormScale, .finalNormalized, .logits: configuration.pooling == nil
        default: true
        }
    }
}
