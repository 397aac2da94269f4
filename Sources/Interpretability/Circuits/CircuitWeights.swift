public import System
public import Tensors

/// The matrices that circuits are made of, as TransformerLens lays them out: they act on rows.
///
/// A norm's gain in front of a matrix is part of a circuit if it is folded into the matrix.
public struct CircuitWeights<Scalar: FloatingAccumulator>: Sendable {
    /// The heads of one layer.
    public struct Layer: Sendable {
        /// W_Q, W_K, `[H, D, W]`; W_V.
        public let query, key, value: Tensor<Scalar>
        /// W_O, `[H, W, D]`.
        public let output: Tensor<Scalar>

        /// - Parameters:
        ///   - key: Of `[H, D, W]`, or of fewer heads that several queries share, as `value`.
        /// - Throws: An error if the shapes do not fit.
        public init(
            query: Tensor<Scalar>, key: Tensor<Scalar>, value: Tensor<Scalar>, output: Tensor<Scalar>
        ) throws(Problem) {
            guard query.rank == 3, key.rank == 3, value.rank == 3, output.rank == 3,
                key.shape[0] > 0, query.shape[0] % key.shape[0] == 0, value.shape[0] == key.shape[0],
                query.shape[1...] == key.shape[1...], value.shape[1] == query.shape[1],
                output.shape == [query.shape[0], value.shape[2], query.shape[1]]
            else {
                throw Problem(
                    .invalid, "heads of the layer",
                    "the shapes of W_Q \(query.shape), W_K \(key.shape), W_V \(value.shape), and W_O \(output.shape) "
                        + "do not match")
            }
            let group = query.shape[0] / key.shape[0]
            self.query = query
            self.key = try telling { try key.repeated(group, axis: 0) }
            self.value = try telling { try value.repeated(group, axis: 0) }
            self.output = output
        }
    }

    /// W_E, `[V, D]`.
    public var embedding: Tensor<Scalar>
    public var layers: [Layer]
    /// W_U, `[D, V]`.
    public var unembedding: Tensor<Scalar>

    public init(embedding: Tensor<Scalar>, layers: [Layer], unembedding: Tensor<Scalar>) {
        self.embedding = embedding
        self.layers = layers
        self.unembedding = unembedding
    }

    public var headCount: Int { layers.first?.query.shape[0] ?? 0 }

    /// W_V W_O, `[D, D]`: how what a head attends to changes what it writes.
    public func ov(layer: Int, head: Int) throws(Problem) -> FactoredMatrix<Scalar> {
        let heads = try checked(layer, head)
        return try FactoredMatrix(try part(heads.value, head), try part(heads.output, head))
    }

    /// W_Q W_Kᵀ, `[D, D]`: what a head attends to, from query to key, before positions turn it.
    public func qk(layer: Int, head: Int) throws(Problem) -> FactoredMatrix<Scalar> {
        let heads = try checked(layer, head)
        return try FactoredMatrix(try part(heads.query, head), try part(heads.key, head).transposed())
    }

    /// W_E W_V W_O W_U, `[V, V]`: what attending to a token adds to each logit.
    public func tokenOV(layer: Int, head: Int) throws(Problem) -> FactoredMatrix<Scalar> {
        let circuit = try ov(layer: layer, head: head)
        return try telling {
            try FactoredMatrix(try matmul(embedding, circuit.left), try matmul(circuit.right, unembedding))
        }
    }

    /// W_E W_Q W_Kᵀ W_Eᵀ, `[V, V]`: which tokens (columns) a token (row) attends to.
    public func tokenQK(layer: Int, head: Int) throws(Problem) -> FactoredMatrix<Scalar> {
        let circuit = try qk(layer: layer, head: head)
        return try telling {
            try FactoredMatrix(
                try matmul(embedding, circuit.left), try matmul(circuit.right, embedding.transposed()))
        }
    }

    /// The copying score of every head, `[layer][head]`: of W_V W_O, or of what tokens become.
    public func copyingScores(ofTokens: Bool = false) throws(Problem) -> [[Double]] {
        var scores: [[Double]] = []
        for layer in layers.indices {
            var row: [Double] = []
            for head in 0..<headCount {
                let circuit = ofTokens ? try tokenOV(layer: layer, head: head) : try ov(layer: layer, head: head)
                row.append(try circuit.eigenvalues().copyingScore)
            }
            scores.append(row)
        }
        return scores
    }

    private func part(_ matrices: Tensor<Scalar>, _ head: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try matrices[head] }
    }

    private func checked(_ layer: Int, _ head: Int) throws(Problem) -> Layer {
        guard layers.indices.contains(layer), (0..<layers[layer].query.shape[0]).contains(head) else {
            throw Problem(
                .invalid, "head L\(layer)H\(head)", "not in the model",
                remedy: "The model has \(layers.count) layers of \(headCount) heads.")
        }
        return layers[layer]
    }
}
