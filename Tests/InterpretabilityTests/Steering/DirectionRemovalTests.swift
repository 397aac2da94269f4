import Interpretability
import Models
import System
import Tensors
import Testing

@Suite("A direction that is taken out of a model")
struct DirectionRemovalTests {
    @Test("is gone from the weights as from every residual stream", arguments: ["gpt", "llama"])
    func equality(name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model(name)
        let tokens = try golden.tokens(name)[0]
        let direction = try Tensor<Double>.normal([model.width], deviation: 3, seed: 5)
        let changes = model.hooks.compactMap { hook -> Intervention<Double>? in
            switch hook {
            case .residualPre, .residualMid, .residualPost: Intervention(hook, .project(out: direction))
            default: nil
            }
        }
        let projected = try model.runWhole(tokens, changes)
        let removed = try model.removing(direction: direction).run(tokens)
        #expect(misfit(try removed[.logits], try projected[.logits], within: 1e-11) <= 1)
        for layer in 0..<model.layerCount {
            let hook = Hook.residualPost(layer: layer)
            #expect(misfit(try removed[hook], try projected[hook], within: 1e-11) <= 1)
            let components = try matmul(removed[hook], direction).elements
            #expect(components.allSatisfy { abs($0) < 1e-10 })
        }
        // The direction mattered.
        #expect(misfit(try removed[.logits], try model.run(tokens)[.logits], within: 1e-2) > 1)
    }

    @Test("is what a steering vector ablates at every layer")
    func vector() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("llama", as: Float.self)
        let tokens = try golden.tokens("llama")[0]
        let vector = try SteeringVector(.normal([model.width], seed: 5), hook: .residualPost(layer: 0))
        let changes = try vector.ablating(among: model.hooks)
        #expect(changes.count == 3 * model.layerCount)
        let projected = try model.runWhole(tokens, changes)[.logits]
        let removed = try model.removing(direction: vector.direction()).run(tokens)[.logits]
        #expect(misfit(removed, try projected.converted(to: Double.self), within: 1e-4) <= 1)
    }

    @Test("must be of the stream's width and have a length")
    func refusals() throws {
        let model = try TransformerLensGolden.small().model("gpt")
        let width = #expect(throws: Problem.self) { try model.removing(direction: .zeros(3)) }
        #expect(width?.sentence == "direction: shape [3] does not match the residual stream's width 16.")
        let length = #expect(throws: Problem.self) { try model.removing(direction: .zeros(16)) }
        #expect(length?.sentence == "direction: length is 0.")
    }
}
