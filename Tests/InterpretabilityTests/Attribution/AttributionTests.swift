import Interpretability
import Models
import System
import Tensors
import Testing
import Tokenizers

@Suite("Direct logit attribution")
struct AttributionTests {
    /// The readout as TransformerLens attributes with it: the gain and the biases of the norm left out.
    private func withoutGain<Scalar>(_ readout: Readout<Scalar>) throws -> Readout<Scalar> {
        var bare = readout
        if case .layer(let gain, let bias, let epsilon) = readout.norm {
            let ones = try Tensor<Scalar>(repeating: 1, shape: gain.shape)
            bare.norm = .layer(gain: ones, bias: try bias * 0, epsilon: epsilon)
        }
        return bare
    }

    private func expectGolden<Scalar: FloatingAccumulator>(
        _ name: String, as type: Scalar.Type, within tolerance: Double
    ) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let model = try golden.model(name, as: type)
        let (readout, weights) = (try withoutGain(try model.readout()), WritingWeights(model.weights))
        for (row, tokens) in try golden.tokens(name).enumerated() {
            let cache = try model.run(tokens)
            for (grain, key) in [(AttributionGrain.components, "dla_components"), (.heads, "dla_heads")]
            where golden.names.contains("\(name).\(key)") {
                let sum = try cache.attribution(
                    of: .difference(3, 7), at: -1, by: grain, readout: readout, weights: weights)
                let terms = sum.terms.filter { term in
                    switch term.part {
                    case .head: grain == .heads
                    case .embedding, .positionEmbedding, .attention, .feedForward: grain == .components
                    default: false
                    }
                }
                let expected = try golden.tensor("\(name).\(key)")[.all, row]
                #expect(misfit(try Tensor(terms.map(\.value)), expected, within: tolerance) <= 1, "\(name) \(key)")
            }
        }
    }

    @Test(
        "says of components and heads what TransformerLens says",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"),
        arguments: ["gpt", "attn2"])
    func golden(name: String) throws {
        try expectGolden(name, as: Double.self, within: 1e-9)
        try expectGolden(name, as: Float.self, within: 1e-4)
    }

    private func worstError<Scalar: FloatingAccumulator>(
        of model: HookedTransformer<Scalar>, _ tokens: [TokenID]
    ) throws -> Double {
        let (readout, weights) = (try model.readout(), WritingWeights(model.weights))
        let cache = try model.run(tokens)
        var worst = 0.0
        for grain in AttributionGrain.allCases {
            for position in tokens.indices {
                for target in [LogitTarget.token(4), .difference(3, 7)] {
                    let sum = try cache.attribution(
                        of: target, at: position, by: grain, readout: readout, weights: weights)
                    worst = max(worst, sum.relativeError)
                }
            }
        }
        return worst
    }

    @Test("adds up to the logit in every grain, with layer and RMS norms, folded or not", arguments: ["gpt", "llama"])
    func sums(name: String) throws {
        let golden = try TransformerLensGolden.small()
        let tokens = try golden.tokens(name)[0]
        let (wide, narrow) = (try golden.model(name), try golden.model(name, as: Float.self))
        #expect(try worstError(of: wide, tokens) <= 1e-9)
        #expect(try worstError(of: try wide.processed(), tokens) <= 1e-9)
        #expect(try worstError(of: narrow, tokens) <= 1e-4)
        #expect(try worstError(of: try narrow.processed(), tokens) <= 1e-4)
    }

    @Test(
        "adds up in the program's own runtime, with caps, experts and norms after the sublayers",
        arguments: [
            "sample-data/models/orrery-mini", "Tests/ModelsTests/Goldens/architectures/gpt2",
            "Tests/ModelsTests/Goldens/architectures/gemma2", "Tests/ModelsTests/Goldens/architectures/mixtral",
        ])
    func runtime(path: String) throws {
        let package = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let checkpoint = try Checkpoints.open("\(package)/\(path)")
        let model = try RuntimeModel(checkpoint)
        let hooked = try HookedTransformer<Float>(checkpoint)
        let weights = WritingWeights(hooked.weights, isSandwich: hooked.configuration.isSandwich)
        let cache = try model.run((0..<12).map { TokenID(($0 * 7 + 3) % model.vocabularySize) })
        for grain in AttributionGrain.allCases {
            let sum = try cache.attribution(
                of: .difference(5, 9), at: -1, by: grain, readout: model.readout(), weights: weights)
            #expect(sum.relativeError <= 1e-4 && sum.logit != 0, "\(grain): \(sum.sum) for \(sum.logit)")
        }
    }

    @Test("has a sum check that finds a head whose output was changed afterwards")
    func plantedFault() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("llama")
        var cache = try model.run(try golden.tokens("llama")[0])
        let hook = Hook.z(layer: 1)
        var z = try cache[hook]
        let last = z.shape[0] - 1
        try z.set(try z.element(at: [last, 2, 1]) + 0.5, at: [last, 2, 1])
        cache.activations[hook] = z
        let sum = try cache.attribution(
            of: .token(4), at: -1, by: .heads, readout: model.readout(), weights: WritingWeights(model.weights))
        #expect(sum.relativeError > 1e-3)
    }

    @Test("undoes a softcap, and computes the logit if it was not captured")
    func softcap() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("gpt")
        var cache = try model.run(try golden.tokens("gpt")[1])
        var readout = try model.readout()
        let weights = WritingWeights(model.weights)
        let plain = try cache.attribution(
            of: .difference(1, 2), at: 3, by: .components, readout: readout, weights: weights)
        cache.activations[.logits] = nil
        cache.activations[.finalNormScale] = nil
        let silent = try cache.attribution(
            of: .difference(1, 2), at: 3, by: .components, readout: readout, weights: weights)
        #expect(abs(silent.logit - plain.logit) <= 1e-9 && silent.error <= 1e-9)
        readout.softcap = 30
        let logits = try model.run(cache.tokens)[.logits]
        cache.activations[.logits] = try tanh(try logits / 30) * 30
        let capped = try cache.attribution(
            of: .difference(1, 2), at: 3, by: .components, readout: readout, weights: weights)
        #expect(abs(capped.logit - plain.logit) <= 1e-9)
    }

    @Test("shows the largest terms first and the rest as one, with the same sum")
    func top() throws {
        let terms = [0.5, -3, 2, 0.25, -0.125].enumerated().map {
            AttributionSum.Term(.head(layer: 0, head: $0), $1)
        }
        let sum = AttributionSum(target: .token(0), position: 0, terms: terms, logit: -0.375)
        #expect(sum.error == 0)
        let top = sum.top(2)
        #expect(top.map(\.part.label) == ["L0H1", "L0H2", "3 more"])
        #expect(top.reduce(0) { $0 + $1.value } == sum.sum)
        #expect(sum.top(5).count == 5)
    }

    @Test("refuses positions and tokens that are not there with a sentence")
    func refusals() throws {
        let golden = try TransformerLensGolden.small()
        let model = try golden.model("gpt")
        let cache = try model.run([1, 2, 3])
        let (readout, weights) = (try model.readout(), WritingWeights(model.weights))
        func problem(_ target: LogitTarget, _ position: Int) -> String? {
            let error = #expect(throws: Problem.self) {
                try cache.attribution(of: target, at: position, by: .heads, readout: readout, weights: weights)
            }
            return error?.sentence
        }
        #expect(problem(.token(1), 3) == "position 3: outside the text. Use a position from 0 to 2.")
        #expect(
            problem(.token(11), 0) == "token 11: not in the model's vocabulary. Use a token from 0 to 10.")
    }
}
