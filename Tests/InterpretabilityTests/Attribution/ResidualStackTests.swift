import Interpretability
import Models
import System
import Tensors
import Testing

@Suite("Stacks of the residual stream")
struct ResidualStackTests {
    @Test("carry TransformerLens's labels")
    func labels() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("gpt")
        let cache = try model.run([1, 2, 3, 4])
        let points = try cache.accumulatedResidual(layerCount: 2)
        #expect(points.parts.map(\.label) == ["0_pre", "0_mid", "1_pre", "1_mid", "final_post"])
        let parts = try cache.decomposedResidual(layerCount: 2, at: .only(3))
        #expect(
            parts.parts.map(\.label) == [
                "embed", "pos_embed", "0_attn_out", "0_mlp_out", "1_attn_out", "1_mlp_out",
            ])
        #expect(parts.positions == [3] && parts.rows.shape == [6, 1, 16])
        let all = try cache.fullDecomposition(WritingWeights(model.weights), at: .range(1..<3))
        let neurons = try #require(model.weights.blocks[1].feedForward).output.shape[0]
        #expect(all.parts.count == 2 + 8 + 2 * neurons + 1)
        #expect(all.parts.contains(.neuron(layer: 1, neuron: neurons - 1)))
        #expect(all.parts.last?.label == "bias")
    }

    @Test("of parts add up to the final residual, in whole layers, heads and neurons", arguments: ["gpt", "llama"])
    func totals(name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model(name)
        let cache = try model.run(try golden.tokens(name)[0])
        let final = try cache[.residualPost(layer: 1)]
        #expect(misfit(try cache.decomposedResidual(layerCount: 2).total(), final, within: 1e-12) <= 1)
        let all = try cache.fullDecomposition(WritingWeights(model.weights))
        #expect(misfit(try all.total(), final, within: 1e-12) <= 1)
        // Layers without matrices stay whole.
        let whole = try cache.fullDecomposition(WritingWeights(layerCount: 2))
        #expect(misfit(try whole.total(), final, within: 1e-12) <= 1)
        #expect(whole.parts.contains(.attention(layer: 1)))
    }

    @Test("behind the frozen norm, times W_U, are the attributions", arguments: ["gpt", "llama"])
    func frozenNorm(name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model(name)
        let (readout, weights) = (try model.readout(), WritingWeights(model.weights))
        let cache = try model.run(try golden.tokens(name)[1])
        let stack = try cache.fullDecomposition(weights, at: .only(5))
        let scale = try cache.finalScale(readout, layerCount: 2, at: .only(5))
        let normalized = try stack.normalized(by: readout, scale: scale)
        let column = try readout.unembedding[.all, 6] - readout.unembedding[.all, 2]
        let expected = try matmul(normalized, column).flattened().elements
        let sum = try cache.attribution(
            of: .difference(6, 2), at: 5, by: .neurons, readout: readout, weights: weights)
        for (part, value) in zip(stack.parts, expected) {
            let found = try #require(sum.terms.first { $0.part == part })
            #expect(abs(found.value - value) <= 1e-10, "\(part)")
        }
    }

    @Test("name what was not kept")
    func missing() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("gpt")
        let cache = try model.run([1, 2], keeping: .only([.embedding]))
        let error = #expect(throws: Problem.self) { try cache.accumulatedResidual(layerCount: 2) }
        #expect(
            error?.sentence == "blocks.0.hook_resid_pre: not captured by the run. Captured: hook_embed.")
    }
}
