import Models
import TestFixtures
import Testing
import Tokenizers

/// Changes or looks at one hook.
final class Tap: HookVisitor {
    let hook: Hook
    let change: (UnsafeMutableBufferPointer<Float>, [Int]) -> Void
    private(set) var asked: [Hook: Int] = [:]
    private(set) var segments: [Int] = []
    private(set) var firstPositions: [Int] = []

    init(_ hook: Hook, _ change: @escaping (UnsafeMutableBufferPointer<Float>, [Int]) -> Void = { _, _ in }) {
        self.hook = hook
        self.change = change
    }

    func wants(_ hook: Hook) -> Bool {
        asked[hook, default: 0] += 1
        return hook == self.hook
    }
    func willVisit(segment: Int) { segments.append(segment) }
    func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        firstPositions.append(firstPosition)
        change(values, shape)
    }
}

@Suite("Hooks")
struct HookTests {
    @Test(
        "every hook has TransformerLens's name, and the name finds it", arguments: ["llama", "gpt2", "mixtral", "bert"])
    func names(model: String) throws {
        let configuration = try Golden(model).transformer.configuration
        let hooks = Hook.allCases(for: configuration)
        for hook in hooks { #expect(Hook(hook.name) == hook) }
        #expect(Set(hooks.map(\.name)).count == hooks.count)
    }

    @Test(
        "unknown names are rejected",
        arguments: ["", "blocks.", "blocks.x.hook_z", "blocks.-1.hook_resid_pre", "blocks.01.hook_resid_pre", "hook_z"])
    func noNames(name: String) { #expect(Hook(name) == nil) }

    @Test("intermediates are what transformers has there", arguments: ["llama", "gpt2"])
    func intermediates(name: String) throws {
        let golden = try Golden(name)
        let names = golden.names.filter { Hook($0) != nil }
        #expect(names.count >= 20)
        let capture = try HookCapture(names, for: golden.transformer.configuration)
        let pass = ForwardPass()
        pass.visitor = capture
        _ = try logits(golden.transformer, golden.tokens("hooks.tokens"), in: pass)
        let found = capture.activations()
        #expect(found.activations.count == names.count)
        for name in names {
            let (shape, values) = try golden.values(name)
            let activation = try #require(found[Hook(name)!])
            #expect(activation.shape == shape, "\(name)")
            #expect(worst(activation.values, values) <= 1e-5, "\(name)")
        }
    }

    @Test(
        "every hook is shown in the shape that it promises", arguments: ["llama", "gpt2", "mixtral", "gemma3", "bert"])
    func shapes(name: String) throws {
        let golden = try Golden(name)
        let configuration = golden.transformer.configuration
        let capture = try HookCapture(["*"], for: configuration)
        let pass = ForwardPass()
        pass.visitor = capture
        let tokens: [TokenID] = [5, 17, 40, 3, 9]
        if configuration.pooling == nil {
            _ = try logits(golden.transformer, tokens, in: pass)
        } else {
            _ = try golden.transformer.encode([tokens], in: pass)
        }
        let found = capture.activations()
        for hook in Hook.allCases(for: configuration) {
            #expect(found[hook]?.shape == hook.shape(for: configuration, tokens: 5, keys: 5), "\(hook.name)")
        }
    }

    @Test("a visitor that only reads changes nothing", arguments: ["llama", "gemma2", "mixtral", "phi3", "gpt2"])
    func looking(name: String) throws {
        let golden = try Golden(name)
        let tokens: [TokenID] = [5, 17, 40, 3, 9, 60, 61, 62, 2, 2]
        let plain = try logits(golden.transformer, tokens)
        let pass = ForwardPass()
        pass.visitor = try HookCapture(["*"], for: golden.transformer.configuration)
        for pieces in [10, 3] {
            #expect(worst(try logits(golden.transformer, tokens, pieces: pieces, in: pass), plain) <= 1e-5)
        }
    }

    /// Hooks, and whether zeros there show in the logits.
    static let edits: [Hook] = [
        .embedding, .residualPre(layer: 1), .attentionNormalized(layer: 0), .query(layer: 1), .key(layer: 0),
        .value(layer: 1), .rotatedQuery(layer: 0), .rotatedKey(layer: 1), .scores(layer: 0), .pattern(layer: 1),
        .z(layer: 0), .attentionOut(layer: 1), .residualMid(layer: 0), .feedForwardNormalized(layer: 1),
        .feedForwardPre(layer: 0), .feedForwardLinear(layer: 1), .feedForwardPost(layer: 0),
        .feedForwardOut(layer: 1), .residualPost(layer: 0), .finalNormalized, .logits,
    ]

    @Test("values written into a hook take effect", arguments: edits)
    func editing(hook: Hook) throws {
        let golden = try Golden("llama")
        let tokens: [TokenID] = [5, 17, 40, 3]
        let pass = ForwardPass()
        let tap = Tap(hook) { values, _ in values.update(repeating: 0) }
        pass.visitor = tap
        let plain = try logits(golden.transformer, tokens)
        let changed = try logits(golden.transformer, tokens, in: pass)
        #expect(worst(changed, plain) > 1e-3)
        #expect(tap.asked.values.allSatisfy { $0 == 1 })
    }

    @Test("a twice as large norm halves what it norms")
    func scale() throws {
        let golden = try Golden("llama")
        let pass = ForwardPass()
        pass.visitor = Tap(.finalNormScale) { values, shape in
            #expect(shape == [3, 1])
            for index in values.indices { values[index] *= 2 }
        }
        let plain = try logits(golden.transformer, [1, 2, 3])
        let changed = try logits(golden.transformer, [1, 2, 3], in: pass)
        #expect(worst(changed.map { 2 * $0 }, plain) <= 1e-5)
    }

    @Test("without the attention and feed-forward of a layer its stream stays")
    func ablation() throws {
        let golden = try Golden("gpt2")
        let capture = try HookCapture(["blocks.1.hook_resid_p*"], for: golden.transformer.configuration)
        final class Both: HookVisitor {
            let capture: HookCapture
            init(_ capture: HookCapture) { self.capture = capture }
            func wants(_ hook: Hook) -> Bool {
                capture.wants(hook) || hook == .attentionOut(layer: 1) || hook == .feedForwardOut(layer: 1)
            }
            func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
                if capture.wants(hook) {
                    capture.visit(hook, values, shape: shape, firstPosition: firstPosition)
                } else {
                    values.update(repeating: 0)
                }
            }
        }
        let pass = ForwardPass()
        pass.visitor = Both(capture)
        _ = try logits(golden.transformer, [1, 2, 3], in: pass)
        let found = capture.activations()
        #expect(found[.residualPre(layer: 1)] == found[.residualPost(layer: 1)])
    }

    @Test("sequences of a batch are shown one by one")
    func batch() throws {
        let golden = try Golden("llama")
        let pass = ForwardPass()
        let tap = Tap(.pattern(layer: 1))
        pass.visitor = tap
        let caches = (0..<2).map { _ in ContiguousKeyValues(golden.transformer.configuration) }
        _ = try golden.transformer.forward([Segment([1, 2], cache: caches[0])], in: pass)
        _ = try golden.transformer.forward(
            [Segment([3], cache: caches[0]), Segment([4, 5], cache: caches[1])], in: pass)
        #expect(tap.segments == [0, 0, 1])
        #expect(tap.firstPositions == [0, 2, 0])
    }
}
