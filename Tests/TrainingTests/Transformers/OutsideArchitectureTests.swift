import Models
import Tensors
import TestFixtures
import Testing
import Training

extension ArchitectureDescriptor {
    /// An architecture that differs from Llama in most parts: sandwich layer norms, head norms, biases, an ungated
    /// feed-forward, and its own module names.
    fileprivate static let lantern = ArchitectureDescriptor("lantern", className: "LanternForCausalLM") {
        $0.norm = .layer
        $0.block = .sandwich
        $0.isGated = false
        $0.normsHeads = true
        $0.scalesEmbedding = true
        $0.biases = .attentionInputs
        $0.activation = .relu
        $0.moduleNames = [
            "attn_q": "attend.query", "ffn_norm": "norm_2", "post_attention_norm": "norm_1_post",
            "post_ffw_norm": "norm_2_post",
        ]
        $0.storesGainsMinusOne = true
    }

    /// A copy of Qwen 3 under another name.
    fileprivate static let twin = ArchitectureDescriptor("twin", className: "TwinForCausalLM") {
        $0.normsHeads = true
        $0.headWidth = 128
        $0.windows = .fromLayer(28)
        $0.modelTypes = ["twin", "twin_text"]
    }
}

/// Proves that an architecture of existing parts needs one descriptor and one line that adds it to a table.
@Suite("An architecture declared outside the module")
struct OutsideArchitectureTests {
    private static let architectures = Architectures.standard.adding(.lantern).adding(.twin)

    private func model(_ family: ArchitectureDescriptor) throws -> TrainableTransformer<Float> {
        try TrainableTransformer(
            ModelConfiguration(
                family: family, vocabularySize: 50, width: 24, layerCount: 2, headCount: 4, kvHeadCount: 2,
                headWidth: 8, feedForwardWidth: 36, contextLength: 16, normEpsilon: 1e-5,
                positions: .rotary(RotaryEmbedding(base: 10_000, width: 8, pairing: .halves)),
                embeddingScale: family.scalesEmbedding ? Float(24).squareRoot() : 1, tiesEmbeddings: true,
                activation: family.activation),
            seed: 7)
    }

    private let tokens: [Int32] = (0..<8).map { $0 * 5 }

    @Test(
        "an exported model loads and computes the logits of the trained one",
        arguments: [ArchitectureDescriptor.lantern, .twin])
    func runs(family: ArchitectureDescriptor) throws {
        let model = try model(family)
        // Norms and biases start at constants that would hide a swapped or missing tensor.
        for (index, parameter) in model.parameters.enumerated() where parameter.shape.count == 1 {
            parameter.value = try Tensor((0..<parameter.count).map { Float(($0 * 7 + index) % 11) / 10 + 0.25 })
        }
        let folder = TemporaryFolder()
        try model.export(to: "\(folder.path)/tiny")
        let checkpoint = try Checkpoints.open("\(folder.path)/tiny", architectures: Self.architectures)
        #expect(checkpoint.configuration.family == family)
        let found = try runtimeLogits(checkpoint, tokens)
        let own = try model.logits(try Tensor(tokens, shape: [1, tokens.count]), .evaluation).value.elements
        #expect(found.count == own.count)
        #expect(zip(found, own).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(Set(found).count > 50)
    }

    @Test("a copy of a known architecture computes the same logits, bit for bit")
    func twin() throws {
        let folder = TemporaryFolder()
        try model(.twin).export(to: "\(folder.path)/twin")
        try model(.qwen3).export(to: "\(folder.path)/qwen3")
        let twin = try Checkpoints.open("\(folder.path)/twin", architectures: Self.architectures)
        let known = try Checkpoints.open("\(folder.path)/qwen3")
        let bits = try runtimeLogits(twin, tokens).map(\.bitPattern)
        #expect(bits == (try runtimeLogits(known, tokens).map(\.bitPattern)))
    }

    @Test("the error for a missing architecture lists the names in the table")
    func unknown() throws {
        let folder = TemporaryFolder()
        try model(.lantern).export(to: "\(folder.path)/tiny")
        let error = try #require(throws: ModelError.self) { try Checkpoints.open("\(folder.path)/tiny") }
        #expect(error.sentence.contains("unsupported model type lantern"))
        let names = "llama, qwen2, qwen3, gemma2, gemma3, gpt2, phi3, mixtral, bert, mistral"
        #expect(error.sentence.contains("Supported: \(names)."))
    }
}
