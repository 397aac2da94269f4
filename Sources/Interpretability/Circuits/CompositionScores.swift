public import System
internal import Tensors

/// How much of what an earlier head writes a later head reads, for all pairs:
/// ‖W_left W_right‖ / (‖W_left‖ ‖W_right‖), Frobenius norms.
///
/// W_left is the earlier head's OV; W_right the later one's QK (what its queries read), QKᵀ (its keys) or OV (its
/// values). Norms between layers are left out, so that weights with folded norms say most.
///
/// - Source: Elhage et al., "A mathematical framework for transformer circuits", 2021, "composition"; TransformerLens,
///   `all_composition_scores`.
public struct CompositionScores: Hashable, Sendable {
    /// What of the later head reads.
    public enum Kind: String, CaseIterable, Sendable { case query = "Q", key = "K", value = "V" }

    /// What random matrices of these sizes would score, to be subtracted on the screen.
    public struct Baseline: Hashable, Sendable {
        public var name: String
        public var value: Double

        public init(name: String, value: Double) {
            self.name = name
            self.value = value
        }

        /// 1/√D: the expectation for Gaussian factors.
        public static func formula(width: Int) -> Baseline {
            Baseline(name: "1/√\(width)", value: 1 / Double(max(1, width)).squareRoot())
        }
    }

    public let kind: Kind
    public let layerCount: Int
    public let headCount: Int
    /// `[earlier layer][earlier head][later layer][later head]`, row-major; 0 if the second layer is not later.
    public let values: [Double]
    public var baseline: Baseline

    public subscript(earlier: (layer: Int, head: Int), later: (layer: Int, head: Int)) -> Double {
        values[
            ((earlier.layer * headCount + earlier.head) * layerCount + later.layer) * headCount + later.head]
    }

    /// Scores of all pairs: one product of H · W by H · W numbers for each pair of layers.
    public init<Scalar>(_ weights: CircuitWeights<Scalar>, _ kind: Kind) throws(Problem) {
        self.kind = kind
        (layerCount, headCount) = (weights.layers.count, weights.headCount)
        let width = weights.layers.first?.query.shape[1] ?? 0
        baseline = .formula(width: width)
        let (layers, heads) = (layerCount, headCount)
        var values = [Double](repeating: 0, count: layers * heads * layers * heads)
        let writers = try weights.layers.indices.map { layer throws(Problem) in
            try CompositionSide(writing: weights, layer)
        }
        let readers = try weights.layers.indices.map { layer throws(Problem) in
            try CompositionSide(reading: weights, layer, kind)
        }
        for earlier in 0..<layers {
            for later in earlier + 1..<max(layers, earlier + 1) {
                let scores = try writers[earlier].scores(into: readers[later])
                for head in 0..<heads {
                    let place = ((earlier * heads + head) * layers + later) * heads
                    for other in 0..<heads { values[place + other] = scores[head * heads + other] }
                }
            }
        }
        self.values = values
    }

    /// Returns the mean score of `pairs` random pairs of Gaussian matrices with the model's sizes.
    public static func measuredBaseline<Scalar>(
        like weights: CircuitWeights<Scalar>, kind: Kind, pairs: Int = 16, seed: UInt64 = 0
    ) throws(Problem) -> Baseline {
        guard let layer = weights.layers.first, pairs > 0 else { return Baseline(name: "none", value: 0) }
        func random(_ shape: [Int], _ stream: UInt32) throws -> Tensor<Double> {
            try Tensor<Double>.normal([pairs] + shape.dropFirst(), seed: seed, stream: stream)
        }
        return try telling {
            let random = try (0..<2 as Range<UInt32>).map { side in
                try CircuitWeights<Double>.Layer(
                    query: try random(layer.query.shape, 4 * side), key: try random(layer.key.shape, 4 * side + 1),
                    value: try random(layer.value.shape, 4 * side + 2),
                    output: try random(layer.output.shape, 4 * side + 3))
            }
            let none = try Tensor<Double>.zeros(0, 0)
            let sample = CircuitWeights(embedding: none, layers: random, unembedding: none)
            let scores = try CompositionSide(writing: sample, 0).scores(into: CompositionSide(reading: sample, 1, kind))
            let mean = scores.reduce(0, +) / Double(scores.count)
            return Baseline(name: "mean of \(scores.count) random pairs", value: mean)
        }
    }
}

/// The heads of a layer as one side of a product, reduced to what its norm needs.
///
/// A B = Q (R B) with orthonormal Q, so that ‖A B X‖ = ‖(R B) X‖; the same from the other side.
private struct CompositionSide<Scalar: FloatingAccumulator> {
    /// Writers: `[H · W, D]`; readers: `[D, H · W]`.
    let matrix: Tensor<Scalar>
    /// ‖W‖ of each head.
    let norms: [Double]

    init(writing weights: CircuitWeights<Scalar>, _ layer: Int) throws(Problem) {
        let circuits = try (0..<weights.headCount).map { head throws(Problem) in
            try weights.ov(layer: layer, head: head)
        }
        (matrix, norms) = try telling {
            let reduced = try circuits.map { try matmul(QRDecomposition($0.left).upper(), $0.right) }
            return (try concatenate(reduced, axis: 0), try reduced.map { try $0.norm().float64 })
        }
    }

    init(
        reading weights: CircuitWeights<Scalar>, _ layer: Int, _ kind: CompositionScores.Kind
    ) throws(Problem) {
        let circuits = try (0..<weights.headCount).map { head throws(Problem) in
            switch kind {
            case .query: try weights.qk(layer: layer, head: head)
            case .key: try weights.qk(layer: layer, head: head).transposed
            case .value: try weights.ov(layer: layer, head: head)
            }
        }
        (matrix, norms) = try telling {
            let reduced = try circuits.map {
                try matmul($0.left, QRDecomposition($0.right.transposed()).upper().transposed())
            }
            return (try concatenate(reduced, axis: 1), try reduced.map { try $0.norm().float64 })
        }
    }

    /// Scores of every pair of a head here and one there, row-major.
    func scores(into other: CompositionSide) throws(Problem) -> [Double] {
        try telling {
            let product = try matmul(matrix, other.matrix)
            let (heads, others) = (norms.count, other.norms.count)
            let blocks = try product.reshaped([
                heads, matrix.shape[0] / heads, others, other.matrix.shape[1] / others,
            ])
            let squares = try (blocks * blocks).sum(axes: [1, 3]).elements
            return squares.enumerated().map { place, square in
                let scale = norms[place / others] * other.norms[place % others]
                return scale == 0 ? 0 : square.float64.squareRoot() / scale
            }
        }
    }
}
