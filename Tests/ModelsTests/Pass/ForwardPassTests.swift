import Kernels
import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("Forward passes")
struct ForwardPassTests {
    @Test("memory does not grow once it is there")
    func memory() throws {
        let transformer = try Golden("gemma3").transformer
        let pass = ForwardPass()
        let cache = ContiguousKeyValues(transformer.configuration)
        try pass.reserve(rows: 8, outputs: 8, for: transformer)
        _ = try transformer.forward([Segment([1, 2, 3, 4, 5, 6, 7, 8], cache: cache, outputs: .all)], in: pass)
        let held = pass.byteCount
        for token in 0..<20 { _ = try transformer.forward([Segment([TokenID(token)], cache: cache)], in: pass) }
        #expect(pass.byteCount == held)
        #expect(cache.length == 28)
    }

    @Test("one pass serves several models")
    func severalModels() throws {
        let pass = ForwardPass()
        for name in ["llama", "gemma3", "gpt2", "llama", "mixtral"] {
            let transformer = try Golden(name).transformer
            let expected = try logits(transformer, [4, 5, 6])
            #expect(try logits(transformer, [4, 5, 6], in: pass) == expected)
        }
    }

    @Test("a canceled pass leaves its sequence as it was", arguments: [0, 1, 2])
    func cancelled(after layers: Int) throws {
        let transformer = try Golden("llama").transformer
        let pass = ForwardPass()
        let cache = ContiguousKeyValues(transformer.configuration)
        _ = try transformer.forward([Segment([1, 2], cache: cache)], in: pass)
        var asked = 0
        pass.isCancelled = {
            asked += 1
            return asked > layers
        }
        if layers < 2 {
            let error = #expect(throws: ModelError.self) {
                try transformer.forward([Segment([3, 4], cache: cache)], in: pass)
            }
            #expect(error?.isCancellation == true)
            #expect(cache.length == 2)
        }
        pass.isCancelled = nil
        let found = Array(try transformer.forward([Segment([3, 4], cache: cache)], in: pass)[0])
        #expect(worst(found, Array(try logits(transformer, [1, 2, 3, 4]).suffix(96))) <= 1e-5)
    }

    @Test(
        "wrong tokens are refused in a sentence",
        arguments: [
            ("llama", [96], "token 96 is not in the vocabulary of 96"),
            ("llama", [3, -1], "token -1 is not in the vocabulary of 96"),
            ("llama", [], "the input has no tokens"),
            ("gpt2", [TokenID](repeating: 1, count: 33), "33 tokens exceed the context length of 32"),
        ])
    func wrongTokens(name: String, tokens: [TokenID], problem: String) throws {
        let transformer = try Golden(name).transformer
        let cache = ContiguousKeyValues(transformer.configuration)
        let error = #expect(throws: ModelError.self) {
            try transformer.forward([Segment(tokens, cache: cache)], in: ForwardPass())
        }
        #expect(error?.problem == problem)
        #expect(cache.length == 0)
    }

    @Test("configurations that cannot run are refused when the model is loaded")
    func configurations() throws {
        let golden = try Golden("llama")
        let base = try Checkpoints.open(golden.folder)
        let changes: [(String, (inout ModelConfiguration) -> Void)] = [
            ("layer count 0 is out of range", { $0.layerCount = 0 }),
            ("4 heads are not divisible by 3", { $0.kvHeadCount = 3 }),
            ("rotary width 7", { $0.positions = .rotary(RotaryEmbedding(base: 1e4, width: 7, pairing: .halves)) }),
            (
                "3 of 2 experts",
                {
                    $0.experts = ExpertConfiguration(count: 2, used: 3, feedForwardWidth: 8, normalizesWeights: true)
                }
            ),
        ]
        for (problem, change) in changes {
            var configuration = base.configuration
            change(&configuration)
            let error = #expect(throws: ModelError.self) {
                try Transformer.load(Reconfigured(base: base, configuration: configuration))
            }
            #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
        }
    }

    @Test("a profile tells where the time went")
    func profile() throws {
        let transformer = try Golden("llama").transformer
        let pass = ForwardPass()
        let profile = OperationProfile()
        pass.profile = profile
        _ = try logits(transformer, [1, 2, 3], in: pass)
        _ = try logits(transformer, [1, 2, 3], in: pass)
        #expect(profile.passes == 2)
        let output = try #require(profile.entries.first { $0.operation == .output })
        #expect(output.kernel == "matvec-f16" && output.calls == 2)
        #expect(output.shape == KernelShape(["m": 3, "n": 96, "k": 32]))
        #expect(output.flops == 2 * 2 * 3 * 96 * 32)
        let attention = try #require(profile.entries.first { $0.operation == .attention && !$0.kernel.isEmpty })
        #expect(attention.shape["keys"] == 3 && attention.shape["kvheads"] == 2)
        let told = profile.entries.reduce(0) { $0 + $1.seconds }
        #expect(told > 0 && told <= profile.seconds)
        for operation in [ProfiledOperation.attentionQKV, .attentionOut, .feedForwardUpGate, .feedForwardDown, .norms] {
            #expect(profile.seconds(in: operation) > 0)
        }
        profile.reset()
        #expect(profile.entries.isEmpty && profile.passes == 0)
    }

    @Test("experts: who was chosen, and how evenly")
    func experts() throws {
        let golden = try Golden("mixtral")
        let pass = ForwardPass()
        pass.expertLoad = ExpertLoad(for: golden.transformer.configuration)
        let capture = try HookCapture(["*expert*"], for: golden.transformer.configuration)
        pass.visitor = capture
        _ = try logits(golden.transformer, golden.tokens("tokens.24"), in: pass)
        let load = try #require(pass.expertLoad)
        for layer in 0..<2 {
            let routed = try #require(capture.activations()[.expertLogits(layer: layer)])
            #expect(worst(routed.values, try golden.values("router.\(layer)").values) <= 1e-5)
            let weights = try #require(capture.activations()[.expertWeights(layer: layer)])
            let chosen = (0..<4).map { expert in (0..<24).count { weights.values[$0 * 4 + expert] != 0 } }
            #expect(Array(load.tokens[layer * 4..<layer * 4 + 4]) == chosen)
            #expect(chosen.reduce(0, +) == 48 && load.routed[layer] == 24)
            for row in 0..<24 { #expect(abs(weights.values[row * 4..<row * 4 + 4].reduce(0, +) - 1) < 1e-6) }
            #expect(abs(load.shares(layer: layer).reduce(0, +) - 1) < 1e-12)
            #expect(load.imbalance(layer: layer) > 0.9 && load.imbalance(layer: layer) <= 4)
        }
        #expect(ExpertLoad(for: try Golden("llama").transformer.configuration) == nil)
    }
}
