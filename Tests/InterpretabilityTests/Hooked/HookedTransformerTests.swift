import Interpretability
import Models
import Tensors
import Testing
import Tokenizers
import Training

@Suite("A transformer written out hook by hook")
struct HookedTransformerTests {
    /// Every hook, the logits and the loss of each model of a golden file; the worst misfit, in tolerances.
    private func worst<Scalar: FloatingAccumulator>(
        _ golden: TransformerLensGolden, _ name: String, as type: Scalar.Type, within tolerance: Double
    ) throws -> (misfit: Double, place: String, hooks: Int) {
        let model = try golden.model(name, as: type)
        var result = (misfit: 0.0, place: "", hooks: 0)
        func note(_ place: String, _ value: Double) {
            if value > result.misfit { (result.misfit, result.place) = (value, place) }
        }
        for (row, tokens) in try golden.tokens(name).enumerated() {
            let cache = try model.run(tokens)
            #expect(Set(cache.activations.keys) == Set(model.hooks))
            for entry in golden.names where entry.hasPrefix("\(name).a.") {
                let expected = try golden.tensor(entry)[row]
                let hookName = String(entry.dropFirst(name.count + 3))
                if let hook = Hook(hookName) {
                    note(hookName, misfit(try cache[hook], expected, within: tolerance))
                    #expect(model.configuration.shape(of: hook, tokens: tokens.count) == expected.shape)
                    if row == 0 { result.hooks += 1 }
                } else if hookName.hasSuffix("hook_result"), let layer = Int(hookName.split(separator: ".")[1]) {
                    note(hookName, misfit(try model.headResults(layer: layer, cache), expected, within: tolerance))
                }
            }
            note("logits", misfit(try cache[.logits], try golden.tensor("\(name).logits")[row], within: tolerance))
            note(
                "loss",
                misfit(
                    try model.lossPerToken(tokens), try golden.tensor("\(name).loss_per_token")[row],
                    within: tolerance))
        }
        return result
    }

    @Test("shows in float64 what TransformerLens shows, to 1e-9", arguments: ["gpt", "llama"])
    func agreesInDouble(_ name: String) throws {
        let found = try worst(.small(), name, as: Double.self, within: 1e-9)
        #expect(found.misfit <= 1, "\(found.place)")
        #expect(found.hooks >= 39)
    }

    @Test("shows in float32 what TransformerLens shows, to 1e-4", arguments: ["gpt", "llama"])
    func agreesInFloat(_ name: String) throws {
        let found = try worst(.small(), name, as: Float.self, within: 1e-4)
        #expect(found.misfit <= 1, "\(found.place)")
    }

    @Test(
        "agrees with the large golden file in both precisions",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"),
        arguments: ["gpt", "attn2"])
    func agreesWithLargeFile(_ name: String) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let double = try worst(golden, name, as: Double.self, within: 1e-9)
        #expect(double.misfit <= 1, "\(double.place)")
        let float = try worst(golden, name, as: Float.self, within: 1e-4)
        #expect(float.misfit <= 1, "\(float.place)")
    }

    /// A choice of a model that is wrong, and the first hook of the pass that shows it.
    enum Fault: String, CaseIterable, Sendable {
        case pairs = "blocks.0.attn.hook_rot_q"
        case scale = "blocks.0.attn.hook_attn_scores"
        case norm = "blocks.0.ln1.hook_scale"
        case activation = "blocks.0.mlp.hook_post"

        func plant(in configuration: inout HookedConfiguration) {
            switch self {
            case .pairs:
                guard case .rotary(var rotary) = configuration.positions else { return }
                rotary.pairing = .adjacent
                configuration.positions = .rotary(rotary)
            case .scale: configuration.attentionScale *= 1.0001
            case .norm: configuration.normEpsilon = 1e-6
            case .activation: configuration.activation = .geluTanh
            }
        }
    }

    @Test("would be found wrong at the hook that a fault touches first", arguments: Fault.allCases)
    func plantedFault(_ fault: Fault) throws {
        let golden = try TransformerLensGolden.small()
        let model = try HookedTransformer<Double>(named: golden.tensors("llama.w.")) { fault.plant(in: &$0) }
        let cache = try model.run(try golden.tokens("llama")[0])
        let wrong = try model.hooks.first { hook in
            let name = "llama.a.\(hook.name)"
            guard golden.names.contains(name) else { return false }
            return misfit(try cache[hook], try golden.tensor(name)[0], within: 1e-9) > 1
        }
        #expect(wrong?.name == fault.rawValue)
    }

    @Test("holds the weights under the names of TransformerLens", arguments: ["gpt", "attn2", "llama"])
    func names(_ name: String) throws {
        for golden in [try TransformerLensGolden.small(), TransformerLensGolden.shared].compactMap(\.self) {
            let expected = try golden.tensors("\(name).w.")
            guard !expected.isEmpty else { continue }
            let named = try golden.model(name, as: Double.self).weights.named
            #expect(Set(named.map(\.name)) == Set(expected.keys))
            for (name, tensor) in named { #expect(tensor == expected[name], "\(name)") }
        }
    }

    @Test("finds the gradients that torch finds", arguments: ["gpt", "llama"])
    func gradients(_ name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model: HookedTransformer<Double> = try golden.model(name)
        let expected = try golden.tensors("\(name).g.")
        #expect(expected.count == 3)
        for (row, tokens) in try golden.tokens(name).enumerated() {
            let hooks = try expected.keys.sorted().map { try Hook.named($0, among: model.hooks) }
            let result = try model.runWithGradients(tokens, at: hooks) { try $0[-1, 3] - $0[-1, 7] }
            let logits = try golden.tensor("\(name).logits")[row]
            let difference = try logits.element(at: [-1, 3]) - logits.element(at: [-1, 7])
            #expect(abs(result.value - difference) < 1e-9)
            for hook in hooks {
                let gradient = try #require(result.gradients[hook])
                let wanted = try #require(expected[hook.name])
                #expect(misfit(gradient, try wanted[row], within: 1e-9) <= 1, "\(hook.name)")
            }
        }
    }

    @Test("computes the readout from the last stream")
    func readout() throws {
        let model: HookedTransformer<Double> = try TransformerLensGolden.small().model("gpt")
        let cache = try model.run([1, 2, 3, 4])
        let readout = try model.readout()
        let x = try cache[.residualPost(layer: 1)]
        guard case .layer(let gain, let bias, let epsilon) = readout.norm else {
            Issue.record("a layer norm is expected")
            return
        }
        let centered = try x - x.mean(-1, keepingAxes: true)
        let deviation = try ((centered * centered).mean(-1, keepingAxes: true) + epsilon)
        let normed = try centered / deviation.power(0.5) * gain + bias
        let logits = try matmul(normed, readout.unembedding) + #require(readout.bias)
        #expect(misfit(logits, try cache[.logits], within: 1e-9) <= 1)
    }

    @Test("refuses what does not fit in a sentence")
    func refusals() throws {
        let golden = try TransformerLensGolden.small()
        let model: HookedTransformer<Double> = try golden.model("gpt")
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return "nothing was refused"
        }
        #expect(
            sentence { _ = try Hook.named("blocks.1.attn.hook_patern", among: model.hooks) }
                == "blocks.1.attn.hook_patern: unknown hook. Similar hooks: blocks.1.attn.hook_pattern, "
                + "blocks.0.attn.hook_pattern, blocks.1.attn.hook_k.")
        #expect(
            sentence { _ = try model.run([1], keeping: .only([.z(layer: 9)])) }
                .hasPrefix("blocks.9.attn.hook_z: unknown hook. Similar hooks: blocks.0.attn.hook_z,"))
        #expect(sentence { _ = try model.run([]) } == "model: the text is empty. Use text with at least one token.")
        #expect(sentence { _ = try model.run([99]) }.hasPrefix("model: token 99 is not in the vocabulary"))
        #expect(
            sentence { _ = try model.run([TokenID](repeating: 1, count: 17)) }
                == "model: 17 tokens exceed the context length of 12. Shorten the text.")
        #expect(
            sentence { _ = try model.runWithGradients([1, 2], at: [.embedding]) { $0 } }
                == "metric: expected one number, found shape [2, 11].")
        var weights = try golden.tensors("gpt.w.")
        weights["blocks.1.mlp.W_out"] = nil
        #expect(
            sentence { _ = try HookedTransformer(named: weights) }
                == "blocks.1.mlp.W_out: missing. Use the names of TransformerLens's state dict.")
        weights = try golden.tensors("gpt.w.")
        weights["blocks.1.attn.W_O"] = try Tensor<Double>.zeros(4, 16, 4)
        #expect(
            sentence { _ = try HookedTransformer(named: weights) }
                == "blocks.1.attn.W_O: shape is [4, 16, 4], expected [4, 4, 16]. Matrices multiply "
                + "rows, x @ W. Transpose the weights of linear layers.")
    }
}
