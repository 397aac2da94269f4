import Models
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite("Adapters that learn")
struct AdapterTests {
    private static let tokens: [Int32] = [5, 17, 80, 3, 44, 9, 61]

    /// A model with an adapter whose B is not zero any more.
    private func trained(_ name: String, _ settings: LowRankSettings) throws -> TrainableTransformer<Float> {
        let model = try TrainableTransformer<Float>(FamilyGolden(name).checkpoint)
        try model.attach(settings, seed: 3)
        for (number, parameter) in try #require(model.adapter).parameters.enumerated()
        where parameter.name.hasSuffix("lora_b") {
            parameter.value = try Tensor<Float>.normal(parameter.shape, deviation: 0.2, seed: 9, stream: UInt32(number))
        }
        return model
    }

    private func logits(_ model: TrainableTransformer<Float>) throws -> [Float] {
        try model.logits(Tensor(Self.tokens, shape: [1, 7]), .evaluation).value.elements
    }

    @Test("a fresh adapter changes nothing, and only it learns", arguments: FamilyGolden.decoders)
    func fresh(name: String) throws {
        let model = try TrainableTransformer<Float>(FamilyGolden(name).checkpoint)
        let before = try logits(model)
        try model.attach(LowRankSettings(rank: 3, alpha: 6, targets: ["all-linear"]), seed: 1)
        #expect(try logits(model) == before)
        let adapter = try #require(model.adapter)
        #expect(model.trainableParameters.map(\.name) == adapter.parameters.map(\.name))
        for parameter in adapter.parameters where parameter.name.hasSuffix("lora_a") {
            // Kaiming-uniform with a = √5: ±1/√inputs.
            let bound = 1 / Float(parameter.shape[1]).squareRoot()
            let largest = parameter.value.elements.reduce(0) { max($0, abs($1)) }
            #expect(largest <= bound && largest > 0.8 * bound)
        }
        let tokens = try Tensor(Self.tokens, shape: [1, 7])
        try model.loss(tokens, targets: tokens, Pass(isTraining: true)).backward()
        for parameter in model.parameters { #expect(parameter.gradient == nil) }
        for parameter in adapter.parameters where parameter.name.hasSuffix("lora_b") {
            #expect(parameter.gradient?.elements.contains { $0 != 0 } == true, "\(parameter.name)")
        }
    }

    @Test(
        "merged weights compute what weights and adapter do, and come back",
        arguments: FamilyGolden.decoders, [false, true])
    func merging(name: String, isRankStabilized: Bool) throws {
        let settings = LowRankSettings(
            rank: 4, alpha: 2, targets: ["all-linear"], isRankStabilized: isRankStabilized)
        let model = try trained(name, settings)
        let base = try logits(TrainableTransformer<Float>(FamilyGolden(name).checkpoint))
        let apart = try logits(model)
        #expect(worst(apart, base) > 1e-3)
        try model.merge()
        #expect(worst(try logits(model), apart) < 1e-5)
        try model.unmerge()
        #expect(try logits(model) == apart)
        model.detachAdapter()
        #expect(try logits(model) == base)
        #expect(model.trainableParameters.count == model.parameters.count)
    }

    @Test("what is written, the runtime reads with the same logits, and so does this", arguments: FamilyGolden.decoders)
    func files(name: String) throws {
        let model = try trained(name, LowRankSettings(rank: 4, alpha: 6, targets: ["all-linear"]))
        let folder = TemporaryFolder()
        try model.writeAdapter(to: folder.file("adapter"), base: name)
        let expected = try logits(model)
        let checkpoint = try FamilyGolden(name).checkpoint
        let transformer = try Transformer.load(checkpoint)
        let pass = ForwardPass()
        pass.adapter = try Adapter.load(folder.file("adapter"), for: checkpoint.configuration)
        let segment = Segment(
            Self.tokens.map { TokenID($0) }, cache: ContiguousKeyValues(checkpoint.configuration), outputs: .all)
        let found = try transformer.forward([segment], in: pass)
        #expect(worst((0..<found.rows).flatMap { found[$0] }, expected) < 1e-5)
        let again = try TrainableTransformer<Float>(checkpoint)
        try again.attachAdapter(from: folder.file("adapter"))
        #expect(again.adapter?.settings.rank == 4)
        #expect(worst(try logits(again), expected) < 1e-6)
    }

    @Test("an adapter of PEFT has the logits that PEFT says", arguments: ["llama", "qwen2", "gpt2"])
    func peft(name: String) throws {
        let golden = try FamilyGolden(name)
        let folder = "\(FamilyGolden.folder)/\(name)-lora"
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        try model.attachAdapter(from: folder)
        let expected = try TensorFile.open("\(folder)/expected.safetensors")
        let key = try #require(expected.names.first { $0.hasPrefix("tokens") })
        let tokens = try expected.tensor(named: key, as: Int32.self)
        let logits = try model.logits(tokens.reshaped([1, tokens.count]), .evaluation).value.elements
        let name = key.replacing("tokens", with: "logits")
        #expect(worst(logits, try expected.tensor(named: name).converted(to: Float.self).elements) < 1e-5)
    }

    @Test(
        "targets go by PEFT's names, by ours, and by short ones",
        arguments: [
            ("llama", ["q_proj", "v_proj"], ["attn_q", "attn_v"]), ("llama", ["q", "v"], ["attn_q", "attn_v"]),
            ("gpt2", ["c_attn"], ["attn_qkv"]), ("gpt2", ["c_proj"], ["attn_output", "ffn_down"]),
            ("phi3", ["gate_up_proj"], ["ffn_up"]), ("gpt2", ["q"], ["attn_qkv"]),
            ("llama", ["ffn_down"], ["ffn_down"]), ("llama", ["layers.1.mlp.up_proj"], ["ffn_up"]),
            ("qwen3", ["lm_head"], ["output"]),
        ])
    func targets(name: String, targets: [String], layers: [String]) throws {
        let model = try TrainableTransformer<Float>(FamilyGolden(name).checkpoint)
        try model.attach(LowRankSettings(rank: 2, alpha: 2, targets: targets), seed: 1)
        let found = try #require(model.adapter).layers.compactMap { $0.split(separator: ".").last.map(String.init) }
        #expect(Set(found) == Set(layers))
        if targets == ["layers.1.mlp.up_proj"] { #expect(model.adapter?.layers == ["blk.1.ffn_up"]) }
    }

    @Test("training it lowers the loss and leaves the model alone", arguments: [false, true])
    func learning(recomputing: Bool) throws {
        let model = try TrainableTransformer<Float>(FamilyGolden("llama").checkpoint)
        try model.attach(LowRankSettings(rank: 4, alpha: 8, dropout: 0.1, targets: ["all-linear"]), seed: 2)
        model.recomputesBlocks = recomputing
        let before = model.parameters.map(\.value)
        let tokens = try Tensor(Self.tokens, shape: [1, 7])
        let targets = try Tensor<Int32>([17, 80, 3, 44, 9, 61, -1], shape: [1, 7])
        let first = try #require(try model.loss(tokens, targets: targets, .evaluation).scalar)
        for step in 0..<30 {
            for parameter in model.trainableParameters { parameter.gradient = nil }
            try model.loss(tokens, targets: targets, Pass(isTraining: true, seed: 1, step: step)).backward()
            for parameter in model.trainableParameters {
                guard let gradient = parameter.gradient else { continue }
                parameter.value = try parameter.value - gradient * 0.3
            }
        }
        let last = try #require(try model.loss(tokens, targets: targets, .evaluation).scalar)
        #expect(last < 0.5 * first)
        for (parameter, value) in zip(model.parameters, before) { #expect(parameter.value == value) }
    }

    @Test("an adapter that cannot be attached is an error")
    func sentences() throws {
        let model = try TrainableTransformer<Float>(FamilyGolden("llama").checkpoint)
        func sentence(_ settings: LowRankSettings) -> String {
            do throws(TensorError) { try model.attach(settings, seed: 1) } catch { return error.sentence }
            return "nothing"
        }
        #expect(sentence(LowRankSettings(targets: ["c_attn"])).contains("q_proj"))
        #expect(sentence(LowRankSettings(rank: 0)).contains("rank 0"))
        #expect(sentence(LowRankSettings(targets: [])).contains("all-linear"))
        #expect(throws: ModelError.self) { try model.writeAdapter(to: "/tmp/nowhere/adapter") }
        #expect(throws: ModelError.self) { try model.attachAdapter(from: "/tmp/nowhere") }
        #expect(throws: ModelError.self) { try model.attachAdapter(from: "\(FamilyGolden.folder)/gpt2-lora") }
        #expect(sentence(LowRankSettings()) == "nothing")
        #expect(sentence(LowRankSettings()).contains("already"))
    }
}
