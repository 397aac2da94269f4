/// A transformer's parts, bound to weights.
///
/// What a sequence remembers between passes is behind `Segment.cache`. A state-space model keeps a state of constant
/// size instead of keys and values: a cache that also conforms to a second protocol, which its
/// blocks ask for. An encoder-decoder runs its encoder without a cache, as `encode` does, and its decoder's
/// cross-attention reads keys that were appended once to a cache of their own.
protocol Architecture: Sendable {
    /// - Throws: `ModelError` where a tensor is missing or has other sizes.
    init(_ weights: WeightReader) throws(ModelError)

    /// From `pass.tokens` to logits: every row of the batch through every block.
    func run(_ pass: ForwardPass) throws(ModelError)
}

extension ArchitectureDescriptor {
    /// The architecture, composed of the parts that `WeightReader` reads.
    func bind(_ weights: WeightReader) throws(ModelError) -> any Architecture {
        switch block {
        case .preNorm: try Decoder<PreNormBlock>(weights)
        case .sandwich: try Decoder<SandwichBlock>(weights)
        case .postNorm: try BERT(weights)
        }
    }
}

extension Norm.Kind {
    init(_ kind: ArchitectureDescriptor.NormKind) { self = kind == .rms ? .rms : .layer }
}

/// A block of a decoder, which reads its weights as the model's descriptor says.
protocol DecoderBlock: Sendable {
    init(_ block: LayerReader) throws(ModelError)

    func callAsFunction(_ pass: ForwardPass) throws(ModelError)
}

extension PreNormBlock: DecoderBlock {
    init(_ block: LayerReader) throws(ModelError) {
        let norm = Norm.Kind(block.family.norm)
        self.init(
            layer: block.layer,
            attentionNorm: try block.norm("attn_norm", norm, hooks: .attention(block.layer)),
            attention: try block.attention(normsHeads: block.family.normsHeads),
            feedForwardNorm: try block.norm("ffn_norm", norm, hooks: .feedForward(block.layer)),
            feedForward: try block.feedForward())
    }
}

extension SandwichBlock: DecoderBlock {
    init(_ block: LayerReader) throws(ModelError) {
        let norm = Norm.Kind(block.family.norm)
        self.init(
            layer: block.layer,
            attentionNorm: try block.norm("attn_norm", norm, hooks: .attention(block.layer)),
            attention: try block.attention(normsHeads: block.family.normsHeads),
            attentionPostNorm: try block.norm("post_attention_norm", norm),
            feedForwardNorm: try block.norm("ffn_norm", norm, hooks: .feedForward(block.layer)),
            feedForward: try block.feedForward(),
            feedForwardPostNorm: try block.norm("post_ffw_norm", norm))
    }
}

/// A stack of blocks between embedding and unembedding: what all decoders have in common.
struct Decoder<Block: DecoderBlock>: Architecture {
    let embedding: Embedding
    let rotations: Rotations?
    let blocks: [Block]
    let unembedding: Unembedding

    init(_ weights: WeightReader) throws(ModelError) {
        embedding = try weights.embedding()
        if case .rotary(let rotary) = weights.configuration.positions {
            rotations = Rotations(rotary)
        } else {
            rotations = nil
        }
        blocks = try weights.blocks { (block) throws(ModelError) in try Block(block) }
        unembedding = try weights.unembedding(Norm.Kind(weights.configuration.family.norm))
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try embedding(pass)
        try pass.prepareAngles(rotations)
        for block in blocks { try block(pass) }
        try unembedding(pass)
    }
}
