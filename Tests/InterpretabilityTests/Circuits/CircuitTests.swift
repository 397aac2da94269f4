import Interpretability
import System
import Tensors
import Testing

@Suite("Circuits of heads")
struct CircuitTests {
    private func expectGolden<Scalar: FloatingAccumulator>(
        _ name: String, as type: Scalar.Type, within tolerance: Double
    ) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let weights = try CircuitWeights(try golden.model(name, as: type).weights)
        let (layers, heads) = (weights.layers.count, weights.headCount)
        var (ov, qk): ([Double], [Double]) = ([], [])
        for layer in 0..<layers {
            for head in 0..<heads {
                ov += try weights.ov(layer: layer, head: head).singularValues().elements.map(\.float64)
                qk += try weights.qk(layer: layer, head: head).singularValues().elements.map(\.float64)
            }
        }
        let shape = [layers, heads, ov.count / layers / heads]
        #expect(misfit(try Tensor(ov, shape: shape), try golden.tensor("\(name).OV_singular"), within: tolerance) <= 1)
        #expect(misfit(try Tensor(qk, shape: shape), try golden.tensor("\(name).QK_singular"), within: tolerance) <= 1)
        let copying = try Tensor(rows: weights.copyingScores())
        #expect(misfit(copying, try golden.tensor("\(name).OV_copying_score"), within: tolerance) <= 1)
        for kind in CompositionScores.Kind.allCases {
            let scores = try CompositionScores(weights, kind)
            let found = try Tensor(scores.values, shape: [layers, heads, layers, heads])
            let expected = try golden.tensor("\(name).composition_\(kind.rawValue)")
            #expect(misfit(found, expected, within: tolerance) <= 1, "\(kind)")
        }
    }

    @Test(
        "have TransformerLens's singular values, copying and composition scores",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"),
        arguments: ["gpt", "attn2"])
    func golden(name: String) throws {
        try expectGolden(name, as: Double.self, within: 1e-9)
        try expectGolden(name, as: Float.self, within: 1e-4)
    }

    @Test("compose as products of whole matrices say, with keys and values that heads share")
    func compositionTwin() throws {
        let model = try TransformerLensGolden.small().model("llama")
        let weights = try CircuitWeights(model.weights)
        func product(_ circuit: FactoredMatrix<Double>) throws -> Tensor<Double> { try circuit.product() }
        for kind in CompositionScores.Kind.allCases {
            let scores = try CompositionScores(weights, kind)
            for earlier in 0..<4 {
                for later in 0..<4 {
                    let left = try product(try weights.ov(layer: 0, head: earlier))
                    let right =
                        switch kind {
                        case .query: try product(try weights.qk(layer: 1, head: later))
                        case .key: try product(try weights.qk(layer: 1, head: later)).transposed()
                        case .value: try product(try weights.ov(layer: 1, head: later))
                        }
                    let expected = try matmul(left, right).norm() / (left.norm() * right.norm())
                    #expect(abs(scores[(0, earlier), (1, later)] - expected) <= 1e-12)
                    #expect(scores[(1, earlier), (0, later)] == 0 && scores[(1, earlier), (1, later)] == 0)
                }
            }
        }
    }

    @Test("have a named baseline, by formula or of random matrices of the same sizes")
    func baseline() throws {
        let width = 64
        let layer = try CircuitWeights<Float>.Layer(
            query: .zeros(2, width, 8), key: .zeros(2, width, 8), value: .zeros(2, width, 8),
            output: .zeros(2, 8, width))
        let weights = CircuitWeights<Float>(
            embedding: try .zeros(3, width), layers: [layer, layer], unembedding: try .zeros(width, 3))
        let scores = try CompositionScores(weights, .key)
        #expect(scores.values.allSatisfy { $0 == 0 })
        #expect(scores.baseline == CompositionScores.Baseline(name: "1/√64", value: 0.125))
        let measured = try CompositionScores.measuredBaseline(like: weights, kind: .key, seed: 3)
        #expect(measured.name == "mean of 256 random pairs")
        #expect(abs(measured.value - 0.125) <= 0.01)
    }

    @Test("of tokens are the chains of matrices that they stand for")
    func tokens() throws {
        let model = try TransformerLensGolden.small().model("llama")
        let weights = try CircuitWeights(model.weights)
        let (embedding, unembedding) = (model.weights.embedding, model.weights.unembedding)
        // Heads 2 and 3 read the second pair of keys and values.
        let (value, key) = (try model.weights.value(layer: 1, head: 3), try model.weights.key(layer: 1, head: 3))
        let written = try matmul(try matmul(embedding, value), model.weights.output(layer: 1, head: 3))
        let ov = try weights.tokenOV(layer: 1, head: 3)
        #expect(misfit(try ov.product(), try matmul(written, unembedding), within: 1e-12) <= 1)
        let asked = try matmul(embedding, model.weights.query(layer: 1, head: 3))
        let offered = try matmul(embedding, key)
        let qk = try weights.tokenQK(layer: 1, head: 3)
        #expect(misfit(try qk.product(), try matmul(asked, offered.transposed()), within: 1e-12) <= 1)
        #expect(ov.inner == 4 && ov.rows == 11)
        let scores = try weights.copyingScores(ofTokens: true)
        #expect(abs(scores[1][3] - (try ov.eigenvalues().copyingScore)) == 0)
    }

    @Test("name the heads that there are")
    func refusal() throws {
        let weights = try CircuitWeights(try TransformerLensGolden.small().model("gpt").weights)
        let error = #expect(throws: Problem.self) { try weights.ov(layer: 2, head: 0) }
        #expect(error?.sentence == "head L2H0: not in the model. The model has 2 layers of 4 heads.")
    }
}
