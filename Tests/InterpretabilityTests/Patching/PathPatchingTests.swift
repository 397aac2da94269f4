import Interpretability
import Models
import Tensors
import Testing

@Suite("Path patching")
struct PathPatchingTests {
    /// What head 2 of block 0 writes more in the source run than in the base run, `[T, D]`.
    private func change(
        _ model: HookedTransformer<Double>, _ base: ActivationCache<Double>, _ source: ActivationCache<Double>,
        head: Int = 2
    ) throws -> Tensor<Double> {
        let hook = Hook.z(layer: 0)
        let heads = try (source[hook] - base[hook])[.all, head]
        return try matmul(heads, model.weights.output(layer: 0, head: head))
    }

    @Test(
        "adds what the head writes to the stream that the receiver reads, and to nothing else",
        arguments: ["gpt", "llama"], [true, false])
    func twin(name: String, holds: Bool) throws {
        let prompts = try PatchPrompts(name)
        let model = prompts.model
        let patching = try PathPatching(
            model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric, holdsFeedForwards: holds
        )
        let (base, source) = (try model.run(patching.pair.base), try model.run(patching.pair.source))
        let write = try change(model, base, source)
        // The stream before block 1 with the head's change, and what the first feed-forward makes of it where it may.
        var stream = try base[.residualPre(layer: 1)] + write
        if !holds {
            let moved = Intervention<Double>(.residualMid(layer: 0), .replace(try base[.residualMid(layer: 0)] + write))
            stream = try model.runWhole(patching.pair.base, [moved])[.residualPost(layer: 0)]
        }
        let receivers: [(PathPatching<Double>.Receiver, Hook, Int)] = [
            (.query(layer: 1, head: 1), .query(layer: 1), 1), (.key(layer: 1, head: 0), .key(layer: 1), 0),
            (.value(layer: 1, head: 1), .value(layer: 1), 1),
        ]
        for (receiver, hook, head) in receivers {
            let read = try model.runWhole(
                patching.pair.base, [Intervention(.residualPre(layer: 1), .replace(stream))])[hook]
            let expected = try patching.pair.value(model, [Intervention(hook, head: head, .replace(read))])
            let found = try patching.value(from: .head(layer: 0, head: 2), to: [receiver])
            #expect(abs(found - expected) < 1e-12, "\(receiver.name)")
            #expect(found != patching.pair.baseValue)
            // Another head sends something else.
            #expect(abs(try patching.value(from: .head(layer: 0, head: 1), to: [receiver]) - expected) > 1e-6)
        }
        // The direct effect: attention of block 1 is frozen, but its feed-forward may react.
        var final = try base[.residualPost(layer: 1)] + write
        if !holds {
            let mid = try stream + base[.attentionOut(layer: 1)]
            final = try model.runWhole(
                patching.pair.base, [Intervention(.residualMid(layer: 1), .replace(mid))])[.residualPost(layer: 1)]
        }
        let expected = try patching.pair.value(model, [Intervention(.residualPost(layer: 1), .replace(final))])
        #expect(abs(try patching.value(from: .head(layer: 0, head: 2), to: [.logits]) - expected) < 1e-12)
    }

    @Test("of the last block's heads to the logits is what patching their output is, feed-forwards free")
    func lastBlock() throws {
        let prompts = try PatchPrompts("gpt")
        let paths = try PathPatching(
            prompts.model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric)
        let map = try paths.map(to: [.logits])
        let whole = try prompts.patching(.noising).map(.z, .layerByHead)
        #expect(map.isComplete)
        for head in 0..<4 { #expect(abs(map[1, head] - whole[1, head]) < 1e-9) }
        #expect((0..<4).contains { abs(map[0, $0] - whole[0, $0]) > 1e-3 })
    }

    @Test("leaves cells empty that no path leads from")
    func reach() throws {
        let prompts = try PatchPrompts("gpt")
        let paths = try PathPatching(
            prompts.model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric)
        let map = try paths.map(to: [.query(layer: 1, head: 0), .feedForward(layer: 0)])
        #expect(map.title == "paths from heads to q of 1.0, the feed-forward of 0, noising")
        #expect((0..<4).allSatisfy { map[0, $0].isFinite && map[1, $0].isNaN })
    }
}
