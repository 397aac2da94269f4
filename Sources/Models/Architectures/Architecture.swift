/// A family of models as its paper describes it: which parts, in which order.
///
/// A new architecture is one file that conforms, and one line in `Architectures.all`. It is composed from the parts
/// that `WeightReader` reads (embedding, norms, attention, feed-forward, unembedding) and runs them on the rows of a
/// `ForwardPass`; what it does not find there it brings along.
///
/// What a sequence remembers between passes is behind `Segment.cache`. A state-space model keeps a state of constant
/// size instead of keys and values: a cache that also conforms to a second protocol, which its
/// blocks ask for. An encoder-decoder runs its encoder without a cache, as `encode` does, and its decoder's
/// cross-attention reads keys that were appended once to a cache of their own.
protocol Architecture: Sendable {
    static var families: [ModelFamily] { get }

    /// - Throws: `ModelError` where a tensor is missing or has other sizes.
    init(_ weights: WeightReader) throws(ModelError)

    /// From `pass.tokens` to logits: every row of the batch through every block.
    func run(_ pass: ForwardPass) throws(ModelError)
}

enum Architectures {
    /// Every architecture. A new one is one line here.
    static let all: [any Architecture.Type] = [
        Llama.self, Qwen2.self, Qwen3.self, Gemma2.self, Gemma3.self, GPT2.self, Phi3.self, Mixtral.self, BERT.self,
    ]

    static func named(_ family: ModelFamily) -> (any Architecture.Type)? {
        all.first { $0.families.contains(family) }
    }
}

/// A stack of blocks between embedding and unembedding: what all decoders have in common.
struct Decoder<Block: Sendable>: Sendable {
    let embedding: Embedding
    let rotations: Rotations?
    let blocks: [Block]
    let unembedding: Unembedding

    init(
        _ weights: WeightReader, norm: Norm.Kind, _ block: (LayerReader) throws(ModelError) -> Block
    ) throws(ModelError) {
        embedding = try weights.embedding()
        if case .rotary(let rotary) = weights.configuration.positions {
            rotations = Rotations(rotary)
        } else {
            rotations = nil
        }
        blocks = try weights.blocks(block)
        unembedding = try weights.unembedding(norm)
    }

    func run(_ pass: ForwardPass, _ block: (Block) throws(ModelError) -> Void) throws(ModelError) {
        try embedding(pass)
        try pass.prepareAngles(rotations)
        for one in blocks { try block(one) }
        try unembedding(pass)
    }
}
