/// A transformer whose parts are bound to weights.
///
/// `Segment.cache` holds the state of a sequence between passes. A state-space model would store a state of constant size
/// there instead of keys and values, in a cache that conforms to a second protocol that its blocks require. An
/// encoder-decoder would run its encoder without a cache, as `encode` does; the cross-attention of its decoder would read
/// keys that were appended once to a separate cache.
protocol Architecture: Sendable {
    /// Reads the parts of the architecture.
    ///
    /// - Throws: `ModelError` if a tensor is missing or has the wrong shape.
    init(_ weights: WeightReader) throws(ModelError)

    /// Computes the logits of `pass.tokens` for every row of the batch.
    func run(_ pass: ForwardPass) throws(ModelError)
}

extension ArchitectureDescriptor {
    /// Returns the architecture that the descriptor describes, with its weights.
    ///
    /// - Throws: `ModelError` if a tensor is missing or has the wrong shape.
    func bind(_ weights: WeightReader) throws(ModelError) -> any Architecture {
        if block == .postNorm { try BERT(weights) } else { try Decoder(weights) }
    }
}

extension Norm.Kind {
    init(_ kind: ArchitectureDescriptor.NormKind) { self = kind == .rms ? .rms : .layer }
}

/// A decoder: blocks between embedding and unembedding.
struct Decoder: Architecture {
    let embedding: Embedding
    let rotations: Rotations?
    let blocks: [TransformerBlock]
    let unembedding: Unembedding

    init(_ weights: WeightReader) throws(ModelError) {
        embedding = try weights.embedding()
        if case .rotary(let rotary) = weights.configuration.positions {
            rotations = Rotations(rotary)
        } else {
            rotations = nil
        }
        blocks = try weights.blocks { (block) throws(ModelError) in try TransformerBlock(block) }
        unembedding = try weights.unembedding(Norm.Kind(weights.configuration.family.norm))
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try embedding(pass)
        try pass.prepareAngles(rotations)
        for block in blocks { try block(pass) }
        try unembedding(pass)
    }
}
