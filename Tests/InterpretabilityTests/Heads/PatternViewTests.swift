import Glibc
import Interpretability
import Models
import System
import Tensors
import Testing

@Suite("Views of attention patterns")
struct PatternViewTests {
    @Test("weigh by values or by what they write, each row adding up to 1", arguments: [true, false])
    func weighting(byOutput: Bool) throws {
        let model = try TransformerLensGolden.small().model("llama")
        let cache = try model.run([3, 1, 4, 1, 5])
        let (pattern, values) = (try cache[.pattern(layer: 1)], try cache[.value(layer: 1)])
        let output = model.weights.blocks[1].output
        let weighting: ValueWeighting<Double> = byOutput ? .output(output) : .value
        let found = try weighting.apply(to: pattern, values: values)
        #expect(found.shape == pattern.shape)
        for head in 0..<4 {
            for query in 0..<5 {
                let row = try (0..<5).map { key in
                    // Two heads share a value.
                    let value = try values[key, head / 2]
                    let seen = byOutput ? try matmul(value, try output[head]) : value
                    return try pattern.element(at: [head, query, key]) * seen.vectorNorm()
                }
                let total = row.reduce(0, +)
                for key in 0..<5 {
                    #expect(abs(try found.element(at: [head, query, key]) - row[key] / total) <= 1e-12)
                }
            }
        }
        let narrow = try ValueWeighting<Float>.value.apply(
            to: pattern.converted(to: Float.self), values: values.converted(to: Float.self))
        let wide = try ValueWeighting<Double>.value.apply(to: pattern, values: values)
        #expect(misfit(narrow, wide, within: 1e-5) <= 1)
        #expect(throws: Problem.self) { try weighting.apply(to: pattern, values: try values[0..<4]) }
    }

    @Test("roll out to rows that add up to 1, the last layer on the left")
    func rollout() throws {
        let model = try TransformerLensGolden.small().model("gpt")
        let cache = try model.run([1, 2, 3, 4])
        let found = try cache.attentionRollout(layers: 0..<2)
        let eye = try Tensor<Double>.eye(4)
        let first = try (cache[.pattern(layer: 0)].mean(0) + eye) * 0.5
        let second = try (cache[.pattern(layer: 1)].mean(0) + eye) * 0.5
        #expect(misfit(found, try matmul(second, first), within: 1e-12) <= 1)
        #expect(misfit(try found.sum(-1), try .ones(4), within: 1e-12) <= 1)
        #expect(try cache.attentionRollout(layers: 0..<0) == eye)
    }

    @Test("measure how widely and how far heads attend")
    func spreads() throws {
        var cache = ActivationCache<Float>(tokens: [1, 2, 3, 4])
        var even = [Float](repeating: 0, count: 16)
        var first = even
        for query in 0..<4 {
            first[query * 4] = 1
            for key in 0...query { even[query * 4 + key] = 1 / Float(query + 1) }
        }
        cache.activations[.pattern(layer: 0)] = try Tensor(even + first, shape: [2, 4, 4])
        let spreads = try cache.headSpreads(layer: 0)
        #expect(abs(spreads[0].entropy - (log(2) + log(3) + log(4)) / 4) <= 1e-6)
        #expect(abs(spreads[0].distance - (0 + 0.5 + 1 + 1.5) / 4) <= 1e-6)
        #expect(spreads[1] == HeadSpread(entropy: 0, distance: 1.5))
        #expect(try cache.headSpreads(layer: 0, from: 3)[1].distance == 3)
    }
}
