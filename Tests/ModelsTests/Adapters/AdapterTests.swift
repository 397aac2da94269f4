import Kernels
import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("LoRA adapters")
struct AdapterTests {
    /// A model with an adapter that PEFT made for it.
    struct Adapted {
        let base: Golden
        let adapter: Adapter
        let tokens: [TokenID]
        let expected: [Float]

        init(_ name: String) throws {
            base = try Golden(name)
            let golden = try Expected("\(name)-lora")
            adapter = try Adapter.load(golden.folder, for: base.transformer.configuration)
            (tokens, expected) = (golden.tokens, golden.logits)
        }
    }

    @Test("an adapter applied at run time matches PEFT's logits", arguments: ["llama", "qwen2", "gpt2"])
    func beside(name: String) throws {
        let adapted = try Adapted(name)
        let pass = ForwardPass()
        let plain = try logits(adapted.base.transformer, adapted.tokens, in: pass)
        pass.adapter = adapted.adapter
        for pieces in [16, 5, 1] {
            let found = try logits(adapted.base.transformer, adapted.tokens, pieces: pieces, in: pass)
            #expect(worst(found, adapted.expected) <= 2e-5)
        }
        #expect(worst(plain, adapted.expected) > 0.05)  // it changes something
        pass.adapter = nil
        #expect(try logits(adapted.base.transformer, adapted.tokens, in: pass) == plain)
    }

    @Test("merged into the weights it gives the same", arguments: ["llama", "qwen2", "gpt2"])
    func merged(name: String) throws {
        let adapted = try Adapted(name)
        let checkpoint = try Checkpoints.open(adapted.base.folder)
        let exact = try Transformer.load(adapted.adapter.merged(into: checkpoint))
        #expect(worst(try logits(exact, adapted.tokens), adapted.expected) <= 5e-5)
        let half = try Transformer.load(adapted.adapter.merged(into: checkpoint, as: .f16))
        #expect(worst(try logits(half, adapted.tokens), adapted.expected) <= 5e-2)
        #expect(throws: ModelError.self) { try adapted.adapter.merged(into: checkpoint, as: .q4_0) }
    }

    @Test("an adapter reports its settings and modules")
    func facts() throws {
        let adapter = try Adapted("llama").adapter
        #expect((adapter.rank, adapter.alpha) == (4, 8))
        #expect(
            adapter.modules
                == (0..<2).flatMap { layer in
                    ["attn_k", "attn_q", "attn_v", "ffn_down"].map { "blk.\(layer).\($0).weight" }
                })
        #expect(adapter.parameterCount == 2 * 4 * (32 + 32 + 32 + 16 + 32 + 16 + 48 + 32))
    }

    @Test(
        "more than LoRA is refused in a sentence",
        arguments: [
            (#""use_dora": false"#, #""use_dora": true"#, "use_dora is not supported"),
            (#""bias": "none""#, #""bias": "all""#, "adapters that change biases are not supported"),
            (#""peft_type": "LORA""#, #""peft_type": "IA3""#, "not a LoRA adapter"),
            (#""r": 4"#, #""r": 0"#, "r must be a number"),
            (#""lora_alpha": 8"#, #""lora_alpha": null"#, "lora_alpha is missing"),
        ])
    func refusals(found: String, replacement: String, problem: String) throws {
        let source = "\(Golden.root)/llama-lora"
        let folder = TemporaryFolder()
        var settings = try #require(File.text("\(source)/adapter_config.json"))
        let range = try #require(settings.firstRange(of: found))
        settings.replaceSubrange(range, with: replacement)
        File.write(settings, to: folder.file("adapter_config.json"))
        File.copy("\(source)/adapter_model.safetensors", to: folder.file("adapter_model.safetensors"))
        let configuration = try Golden("llama").transformer.configuration
        let error = #expect(throws: ModelError.self) { try Adapter.load(folder.path, for: configuration) }
        #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    }

    @Test("an adapter of another model is refused in a sentence", arguments: ["gpt2", "gemma2", "bert"])
    func otherModel(name: String) throws {
        let configuration = try Golden(name).transformer.configuration
        #expect(throws: ModelError.self) { try Adapter.load("\(Golden.root)/llama-lora", for: configuration) }
    }

    @Test("alphas of some modules are their own")
    func alphaPattern() throws {
        let source = "\(Golden.root)/llama-lora"
        let folder = TemporaryFolder()
        let settings = try #require(File.text("\(source)/adapter_config.json"))
        // Twice the alpha for each module is the same as twice the alpha.
        let range = try #require(settings.firstRange(of: #""alpha_pattern": {}"#))
        let pattern = #""alpha_pattern": {"q_proj": 16, "k_proj": 16, "v_proj": 16, "mlp.down_proj": 16}"#
        var each = settings
        each.replaceSubrange(range, with: pattern)
        var all = settings
        all.replaceSubrange(try #require(settings.firstRange(of: #""lora_alpha": 8"#)), with: #""lora_alpha": 16"#)
        let golden = try Golden("llama")
        var found: [[Float]] = []
        for text in [each, all] {
            File.write(text, to: folder.file("adapter_config.json"))
            File.copy("\(source)/adapter_model.safetensors", to: folder.file("adapter_model.safetensors"))
            let pass = ForwardPass()
            pass.adapter = try Adapter.load(folder.path, for: golden.transformer.configuration)
            found.append(try logits(golden.transformer, [1, 2, 3], in: pass))
        }
        #expect(found[0] == found[1])
        #expect(found[0] != (try logits(golden.transformer, [1, 2, 3])))
    }

    @Test("rows of llama's GGUF files, whose pairs lie side by side, are turned")
    func adjacentPairs() throws {
        let adapted = try Adapted("llama")
        let checkpoint = AdjacentPairs(try Checkpoints.open(adapted.base.folder))
        let transformer = try Transformer.load(checkpoint)
        #expect(
            worst(try logits(transformer, adapted.tokens), try logits(adapted.base.transformer, adapted.tokens)) <= 2e-5
        )
        let pass = ForwardPass()
        pass.adapter = try Adapter.load("\(Golden.root)/llama-lora", for: checkpoint.configuration)
        #expect(worst(try logits(transformer, adapted.tokens, in: pass), adapted.expected) <= 2e-5)
    }
}

/// A folder of architectures.py that holds no model.
struct Expected {
    let folder: String
    let tokens: [TokenID]
    let logits: [Float]
}
