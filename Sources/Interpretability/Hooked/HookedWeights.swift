public import System
public import Tensors

/// The weights of a transformer as the field writes them: each acts on rows, `x @ W`, and heads have an axis of their own.
///
/// Linear layers of files hold the transpose, `[out, in]`.
///
/// - Source: TransformerLens, `components/`, whose names are given for each property.
public struct HookedWeights<Scalar: FloatingAccumulator>: Sendable {
    /// W_E: `[V, D]`.
    public var embedding: Tensor<Scalar>
    /// W_pos: `[positions, D]`; `nil` if positions are encoded in attention or not at all.
    public var positions: Tensor<Scalar>?
    public var blocks: [Block]
    public var finalNorm = Norm()
    /// W_U: `[D, V]`.
    public var unembedding: Tensor<Scalar>
    /// b_U: `[V]`.
    public var unembeddingBias: Tensor<Scalar>?

    public init(
        embedding: Tensor<Scalar>, positions: Tensor<Scalar>? = nil, blocks: [Block], unembedding: Tensor<Scalar>
    ) {
        self.embedding = embedding
        self.positions = positions
        self.blocks = blocks
        self.unembedding = unembedding
    }

    /// Gain and bias of a norm, each `[D]`; `nil` if folded into the following matrices.
    public struct Norm: Sendable {
        public var gain: Tensor<Scalar>?
        public var bias: Tensor<Scalar>?

        public init(gain: Tensor<Scalar>? = nil, bias: Tensor<Scalar>? = nil) {
            self.gain = gain
            self.bias = bias
        }
    }

    /// One block.
    public struct Block: Sendable {
        public var attentionNorm = Norm()
        /// W_Q: `[H, D, W]`.
        public var query: Tensor<Scalar>
        /// W_K: `[kvHeads, D, W]`.
        public var key: Tensor<Scalar>
        /// W_V: `[kvHeads, D, W]`.
        public var value: Tensor<Scalar>
        /// W_O: `[H, W, D]`.
        public var output: Tensor<Scalar>
        /// b_Q: `[H, W]`.
        public var queryBias: Tensor<Scalar>?
        /// b_K, b_V: `[kvHeads, W]`.
        public var keyBias, valueBias: Tensor<Scalar>?
        /// b_O: `[D]`.
        public var outputBias: Tensor<Scalar>?
        /// Gains of the norms of a head's queries and keys, `[W]`.
        public var queryNorm, keyNorm: Tensor<Scalar>?
        public var attentionPostNorm = Norm()
        public var feedForwardNorm = Norm()
        /// Feed-forward; `nil` if the block has only attention, or experts.
        public var feedForward: FeedForward?
        public var experts: Experts?
        public var feedForwardPostNorm = Norm()

        public init(query: Tensor<Scalar>, key: Tensor<Scalar>, value: Tensor<Scalar>, output: Tensor<Scalar>) {
            self.query = query
            self.key = key
            self.value = value
            self.output = output
        }
    }

    public struct FeedForward: Sendable {
        /// W_in: `[D, M]`; of a gated one the linear half.
        public var input: Tensor<Scalar>
        /// `[M]`: b_in of one without a gate; of a gated one what is added to its linear half.
        public var inputBias: Tensor<Scalar>?
        /// `[M]`: what is added to the product of a gated one, which TransformerLens calls b_in there.
        public var productBias: Tensor<Scalar>?
        /// W_gate: `[D, M]`.
        public var gate: Tensor<Scalar>?
        public var gateBias: Tensor<Scalar>?
        /// W_out: `[M, D]`.
        public var output: Tensor<Scalar>
        /// b_out: `[D]`.
        public var outputBias: Tensor<Scalar>?

        public init(input: Tensor<Scalar>, gate: Tensor<Scalar>? = nil, output: Tensor<Scalar>) {
            self.input = input
            self.gate = gate
            self.output = output
        }
    }

    /// A mixture of experts.
    public struct Experts: Sendable {
        /// `[D, experts]`.
        public var router: Tensor<Scalar>
        public var routerBias: Tensor<Scalar>?
        public var experts: [FeedForward]

        public init(router: Tensor<Scalar>, experts: [FeedForward]) {
            self.router = router
            self.experts = experts
        }
    }
}

extension HookedWeights {
    /// The head of keys and values that a head reads.
    func kvHead(_ head: Int, layer: Int) -> Int {
        head / max(blocks[layer].query.shape[0] / max(blocks[layer].key.shape[0], 1), 1)
    }

    /// W_Q of one head, `[D, W]`.
    public func query(layer: Int, head: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try blocks[checked(layer, head)].query[head] }
    }

    /// W_K of the keys that a head reads, `[D, W]`.
    public func key(layer: Int, head: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try blocks[checked(layer, head)].key[kvHead(head, layer: layer)] }
    }

    /// W_V of the values that a head reads, `[D, W]`.
    public func value(layer: Int, head: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try blocks[checked(layer, head)].value[kvHead(head, layer: layer)] }
    }

    /// W_O of one head, `[W, D]`.
    public func output(layer: Int, head: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try blocks[checked(layer, head)].output[head] }
    }

    private func checked(_ layer: Int, _ head: Int) throws(Problem) -> Int {
        guard blocks.indices.contains(layer) else {
            throw Problem(
                .invalid, "layer \(layer)", "not in the model", remedy: "Use a layer from 0 to \(blocks.count - 1).")
        }
        let heads = blocks[layer].query.shape[0]
        guard (0..<heads).contains(head) else {
            throw Problem(
                .invalid, "head \(head)", "not in layer \(layer)", remedy: "Use a head from 0 to \(heads - 1).")
        }
        return layer
    }
}
