public import System

extension CircuitWeights {
    /// The matrices of a transformer that is written out; fold its norms first, so that their gains are in them.
    public init(_ weights: HookedWeights<Scalar>) throws(Problem) {
        let layers = try weights.blocks.map { block throws(Problem) in
            try Layer(query: block.query, key: block.key, value: block.value, output: block.output)
        }
        self.init(embedding: weights.embedding, layers: layers, unembedding: weights.unembedding)
    }
}
