internal import Kernels

extension ArchitectureDescriptor {
    /// BERT, an encoder in which every token attends to every other:
    ///
    ///     x = layerNorm(embedding(tokens) + positions + types)
    ///     for each block:
    ///         x = layerNorm(x + attention(x))
    ///         x = layerNorm(x + down(gelu(up x)))
    ///
    /// Pooling turns the rows into one vector: their mean, the first row, or the pooler with a classification head.
    ///
    /// - Source: Devlin et al., "BERT", 2019, section 3; Reimers and Gurevych, "Sentence-BERT", 2019, section 3.
    public static let bert = ArchitectureDescriptor("bert", className: "BertModel") {
        $0.layout = .bert
        $0.norm = .layer
        $0.block = .postNorm
        $0.isGated = false
        $0.learnsPositions = true
        $0.alwaysTiesEmbeddings = true
        $0.activation = .gelu
        $0.windows = .none
        $0.normEpsilon = 1e-12
        $0.biases = .all
    }
}

/// An encoder of post-norm blocks with optional pooler and classification head.
struct BERT: Architecture {
    let embedding: Embedding
    let blocks: [TransformerBlock]
    /// Projection of the first row before tanh(W x₀ + b); `nil` if the file has none.
    let pooler: Projection?
    /// Classification head on the pooler's output; `nil` if the file has none.
    let classifier: Projection?

    init(_ weights: WeightReader) throws(ModelError) {
        let norm = Norm.Kind(weights.configuration.family.norm)
        embedding = try weights.embedding(norm: weights.norm("token_embd_norm", norm))
        blocks = try weights.blocks { (block) throws(ModelError) in try TransformerBlock(block) }
        let width = weights.configuration.width
        pooler = weights.has("cls.weight") ? Projection([try weights.linear("cls", width, width)], .pooling) : nil
        if let labels = weights.checkpoint.shape(of: "cls.output.weight")?.first {
            classifier = Projection([try weights.linear("cls.output", labels, width)], .pooling)
        } else {
            classifier = nil
        }
    }

    /// Computes the rows of the last block, which remain in the residual stream.
    func run(_ pass: ForwardPass) throws(ModelError) {
        try embedding(pass)
        for block in blocks { try block(pass) }
    }
}
