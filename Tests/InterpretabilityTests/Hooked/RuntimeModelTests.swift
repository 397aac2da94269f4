import Glibc
import Interpretability
import Models
import System
import Tensors
import Testing
import Tokenizers

@Suite("The runtime and the written-out transformer")
struct RuntimeModelTests {
    static let package = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    /// Tiny random models of every family, in addition to the architecture tests.
    static let familyNames = ["gemma2", "gemma3", "mistral", "gpt2", "llama", "mixtral", "phi3", "qwen2", "qwen3"]

    static let stories = "\(package)/../shared/data/inference/stories260K/stories260K.bin"

    private func checkpoint(_ path: String) throws -> any Checkpoint { try Checkpoints.open("\(Self.package)/\(path)") }

    /// The largest difference of any hook, relative to the hook's largest number.
    private func compare(
        _ a: ActivationCache<Float>, _ b: ActivationCache<Float>, _ hooks: [Hook]
    ) throws -> (worst: Double, place: String) {
        var result = (worst: 0.0, place: "")
        for hook in hooks {
            let (x, y) = (try a[hook], try b[hook])
            guard x.shape == y.shape else { return (.infinity, "\(hook.name) \(x.shape) \(y.shape)") }
            let largest = y.elements.reduce(Float(1e-3)) { $1.isFinite ? max($0, abs($1)) : $0 }
            for (one, other) in zip(x.elements, y.elements) where one != other {
                let difference = Double(abs(one - other) / largest)
                if !(difference <= result.worst) { result = (difference.isNaN ? .infinity : difference, hook.name) }
            }
        }
        return result
    }

    private func agree(_ checkpoint: any Checkpoint, _ tokens: [TokenID]) throws {
        let runtime = try RuntimeModel(checkpoint)
        let hooked = try HookedTransformer<Float>(checkpoint)
        #expect(hooked.hooks == runtime.hooks)
        let found = try compare(hooked.run(tokens), runtime.run(tokens), runtime.hooks)
        #expect(found.worst < 1e-4, "\(found.place)")
        // The same change in both.
        let last = hooked.layerCount - 1
        let direction = try Tensor<Float>((0..<hooked.width).map { Float($0 % 5) - 2 })
        let changes: [Intervention<Float>] = [
            Intervention(.residualPre(layer: last), at: .from(2), .add(direction, times: 0.3)),
            Intervention(.z(layer: 0), head: 1, .zero),
            Intervention(.pattern(layer: last), at: .only(3), head: 0, .scale(0.5)),
            Intervention(.value(layer: 0), head: 0, .scale(-1)),
            Intervention(.feedForwardOut(layer: 0), .project(out: direction)),
            Intervention(.residualPost(layer: 0), at: .range(1..<3), .setComponent(along: direction, to: 2)),
        ]
        let changed = try compare(
            hooked.run(tokens, changes, keeping: .all), runtime.run(tokens, changes, keeping: .all), runtime.hooks)
        #expect(changed.worst < 1e-4, "\(changed.place)")
        let untouched = try runtime.run(tokens, keeping: .only([.logits]))
        let difference = try compare(
            runtime.run(tokens, changes, keeping: .only([.logits])), untouched, [.logits])
        #expect(difference.worst > 1e-3)
    }

    @Test("show the same at every hook, changed or not, in every family", arguments: familyNames)
    func families(_ family: String) throws {
        let checkpoint = try checkpoint("Tests/ModelsTests/Goldens/architectures/\(family)")
        let count = checkpoint.configuration.vocabularySize
        try agree(checkpoint, (0..<12).map { TokenID(($0 * 7 + 3) % count) })
    }

    @Test("show the same at every hook of the models that come along", arguments: ["orrery-mini", "wanderer"])
    func samples(_ name: String) throws {
        let checkpoint = try checkpoint("sample-data/models/\(name)")
        let count = checkpoint.configuration.vocabularySize
        try agree(checkpoint, (0..<24).map { TokenID(($0 * 37 + 5) % count) })
    }

    @Test(
        "show the same where rotating pairs lie side by side",
        .enabled(if: access(stories, R_OK) == 0, "a llama2.c file is not next to the package"))
    func adjacentPairs() throws {
        let checkpoint = try Checkpoints.open(Self.stories)
        guard case .rotary(let rotary) = checkpoint.configuration.positions else {
            Issue.record("rotary positions are expected")
            return
        }
        #expect(rotary.pairing == .adjacent)
        try agree(checkpoint, (0..<20).map { TokenID(($0 * 31 + 1) % 512) })
    }

    @Test("read the stream out alike", arguments: ["gpt2", "llama", "gemma2"])
    func readout(_ family: String) throws {
        let checkpoint = try checkpoint("Tests/ModelsTests/Goldens/architectures/\(family)")
        let (a, b) = (try RuntimeModel(checkpoint).readout(), try HookedTransformer<Float>(checkpoint).readout())
        #expect(a.unembedding == b.unembedding)
        #expect(a.softcap == b.softcap)
        switch (a.norm, b.norm) {
        case (.layer(let gain, let bias, let epsilon), .layer(let gain2, let bias2, let epsilon2)):
            #expect(gain == gain2 && bias == bias2 && epsilon == epsilon2)
        case (.rms(let gain, let epsilon), .rms(let gain2, let epsilon2)):
            #expect(gain == gain2 && epsilon == epsilon2)
        default: Issue.record("the norms differ")
        }
    }

    @Test("appends what later passes show, and changes positions where they come")
    func passes() throws {
        let checkpoint = try checkpoint("Tests/ModelsTests/Goldens/architectures/llama")
        let runtime = try RuntimeModel(checkpoint)
        let tokens: [TokenID] = [3, 1, 4, 1, 5, 9, 2]
        let change = Intervention<Float>(.residualPost(layer: 0), at: .from(4), .scale(0.5))
        let hooks: [Hook] = [.residualPost(layer: 0), .pattern(layer: 1), .z(layer: 1)]
        let whole = try runtime.run(tokens, [change], keeping: .only(Set(hooks)))
        let visitor = try InterventionVisitor(
            [change], keeping: .only(Set(hooks)), for: checkpoint.configuration)
        let pass = ForwardPass()
        pass.visitor = visitor
        let sequence = ContiguousKeyValues(checkpoint.configuration)
        for piece in [tokens[..<3], tokens[3..<6], tokens[6...]] {
            _ = try runtime.transformer.forward([Segment(Array(piece), cache: sequence, outputs: .all)], in: pass)
        }
        let pieces = ActivationCache(tokens: tokens, activations: try visitor.activations())
        let found = try compare(pieces, whole, hooks)
        #expect(found.worst < 1e-5, "\(found.place)")
        #expect(visitor.failure == nil)
    }

    @Test("refuses an encoder in a sentence")
    func encoder() throws {
        let checkpoint = try checkpoint("Tests/ModelsTests/Goldens/architectures/bert")
        #expect(throws: Problem.self) { _ = try RuntimeModel(checkpoint) }
        #expect(throws: Problem.self) { _ = try HookedTransformer<Float>(checkpoint) }
    }
}
