import Models
import Tensors
import TestFixtures
import Testing
import Tokenizers

@Suite("Captured activations")
struct HookCaptureTests {
    let golden: Golden
    let folder = TemporaryFolder()

    init() throws { golden = try Golden("llama") }

    private func captured(_ patterns: [String], pieces: Int) throws -> ActivationFile {
        let capture = try HookCapture(patterns, for: golden.transformer.configuration)
        let pass = ForwardPass()
        pass.visitor = capture
        _ = try logits(golden.transformer, [5, 17, 40, 3, 9], pieces: pieces, in: pass)
        return capture.activations()
    }

    @Test("a generation in pieces is captured as one", arguments: [1, 2, 5])
    func pieces(size: Int) throws {
        let whole = try captured(["*"], pieces: 5)
        let found = try captured(["*"], pieces: size)
        #expect(found.activations.keys == whole.activations.keys)
        for (hook, expected) in whole.activations {
            let activation = try #require(found[hook])
            #expect(activation.shape == expected.shape, "\(hook.name)")
            #expect(worst(activation.values, expected.values) <= 1e-5, "\(hook.name)")
        }
        let pattern = try #require(found[.pattern(layer: 0)])
        #expect(pattern.shape == [4, 5, 5])
        #expect(Array(pattern.values[..<5]) == [1, 0, 0, 0, 0])  // the first token sees itself
        #expect(found[.scores(layer: 0)]?.values[1] == -.infinity)
    }

    @Test("patterns choose hooks")
    func patterns() throws {
        #expect(try captured(["blocks.*.hook_resid_post"], pieces: 5).activations.count == 2)
        #expect(try captured(["blocks.?.attn.hook_[zq]", "hook_embed"].suffix(1), pieces: 5).activations.count == 1)
        #expect(try captured(["*hook_z", "*.0.*hook_z"], pieces: 5).activations.count == 2)
        let error = #expect(throws: ModelError.self) { try captured(["blocks.2.hook_resid_post"], pieces: 5) }
        #expect(error?.problem.contains("unknown hook \"blocks.2.hook_resid_post\"") == true)
    }

    @Test("nothing is kept beyond the limit, and that is said")
    func limit() throws {
        let capture = try HookCapture(["hook_embed"], for: golden.transformer.configuration, limit: 4 * 32 * 3)
        let pass = ForwardPass()
        pass.visitor = capture
        _ = try logits(golden.transformer, [1, 2, 3, 4], pieces: 2, in: pass)
        #expect(capture.isTruncated)
        #expect(capture.activations()[.embedding]?.shape == [2, 32])
        capture.reset()
        #expect(!capture.isTruncated && capture.activations().activations.isEmpty)
    }

    @Test("a file gives back what was written")
    func file() throws {
        var whole = try captured(["*"], pieces: 5)
        whole.metadata = ["model": "llama"]
        try whole.write(to: folder.file("hooks.safetensors"))
        #expect(try ActivationFile.read(folder.file("hooks.safetensors")) == whole)
        let names = try TensorFile.open(folder.file("hooks.safetensors")).names
        #expect(names.contains("blocks.1.attn.hook_pattern"))
    }

    @Test("a file from elsewhere may have a batch axis of one, other types and other names")
    func foreign() throws {
        let path = folder.file("foreign.safetensors")
        let tensors: [(name: String, tensor: AnyTensor)] = [
            ("blocks.0.hook_resid_pre", AnyTensor(try Tensor<Float16>([1, 2, 3, 4, 5, 6], shape: [1, 2, 3]))),
            ("blocks.0.attn.hook_pattern", AnyTensor(try Tensor<Float>([1, 0, 0.5, 0.5], shape: [1, 2, 2]))),
            ("blocks.0.hook_attn_in", AnyTensor(try Tensor<Float>([1]))),
        ]
        try TensorFile.write(tensors, to: path)
        let file = try ActivationFile.read(path)
        #expect(file[.residualPre(layer: 0)] == HookActivation(shape: [2, 3], values: [1, 2, 3, 4, 5, 6]))
        #expect(file[.pattern(layer: 0)]?.shape == [1, 2, 2])
        #expect(file.otherNames == ["blocks.0.hook_attn_in"])
    }

    @Test("files that hold no activations are refused in a sentence")
    func refusals() throws {
        let batch = folder.file("batch.safetensors")
        let two = AnyTensor(try Tensor<Float>([1, 2, 3, 4], shape: [2, 1, 2]))
        try TensorFile.write([("hook_embed", two)], to: batch)
        #expect(throws: ModelError.self) { try ActivationFile.read(batch) }
        let weights = "\(golden.folder)/model.safetensors"
        let error = #expect(throws: ModelError.self) { try ActivationFile.read(weights) }
        #expect(error?.problem.contains("tensor names is a hook") == true)
        #expect(throws: ModelError.self) { try ActivationFile().write(to: folder.file("x.npz")) }
        #expect(throws: ModelError.self) { try ActivationFile.read(folder.file("absent.safetensors")) }
    }
}
