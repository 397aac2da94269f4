import Models
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite("Exported models")
struct ExportTests {
    @Test("the runtime computes the same logits from an exported folder", arguments: FamilyGolden.decoders)
    func runtime(name: String) throws {
        let golden = try FamilyGolden(name)
        let length = try #require(golden.lengths.first)
        let tokens = try golden.tokens(length)
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        let folder = TemporaryFolder()
        let path = "\(folder.path)/exported"
        try model.export(to: path)
        let checkpoint = try Checkpoints.open(path)
        var expected = golden.checkpoint.configuration
        expected.name = checkpoint.configuration.name
        #expect(checkpoint.configuration == expected)
        let own = try model.logits(tokens, .evaluation).value.elements
        let found = try runtimeLogits(checkpoint, tokens.elements)
        #expect(worst(found, own) < 1e-5)
        let again = try TrainableTransformer<Float>(checkpoint)
        #expect(again.decodedFormats.isEmpty)
        for (a, b) in zip(model.parameters, again.parameters) {
            #expect(a.name == b.name)
            // Gains of Gemma are kept as their distance from 1, which rounds.
            #expect(worst(b.value.elements, a.value.elements) < 1e-6, "\(a.name)")
        }
    }

    @Test("weights of 16 bits are rounded and nothing else", arguments: [ExportType.float16, .bfloat16])
    func narrow(type: ExportType) throws {
        let golden = try FamilyGolden("llama")
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        let folder = TemporaryFolder()
        try model.export(to: "\(folder.path)/narrow", as: type)
        let again = try TrainableTransformer<Float>(Checkpoints.open("\(folder.path)/narrow"))
        let bits = type == .float16 ? "f16" : "bf16"
        #expect(again.decodedFormats == [bits])
        for (a, b) in zip(model.parameters, again.parameters) {
            #expect(worst(b.value.elements, a.value.elements) < (type == .float16 ? 1e-6 : 4e-3))
        }
    }

    @Test("a folder that is there is replaced whole, and one that cannot be written leaves it")
    func atomic() throws {
        let golden = try FamilyGolden("gpt2")
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        let folder = TemporaryFolder()
        let path = "\(folder.path)/model"
        try model.export(to: path)
        for parameter in model.parameters { parameter.value = try parameter.value * 2 }
        #expect(throws: ModelError.self) { try model.export(to: path, tokenizer: "\(folder.path)/nowhere.json") }
        let kept = try TrainableTransformer<Float>(Checkpoints.open(path))
        #expect(worst(kept.parameters[0].value.elements, model.parameters[0].value.elements) > 0.1)
        try model.export(to: path, cards: [("README.md", "# A model\n")])
        let replaced = try TrainableTransformer<Float>(Checkpoints.open(path))
        #expect(replaced.parameters[0].value == model.parameters[0].value)
    }

    @Test(
        "untrained models have the sizes of their family and a loss near that of a uniform guess",
        arguments: Architectures.standard.all)
    func fresh(family: ArchitectureDescriptor) throws {
        let isPlain = family == .gpt2 || family == .bert
        let isGemma = family == .gemma2 || family == .gemma3
        let experts = ExpertConfiguration(count: 3, used: 2, feedForwardWidth: 36, normalizesWeights: true)
        let model = try TrainableTransformer<Float>(
            ModelConfiguration(
                family: family, vocabularySize: 50, width: 24, layerCount: 2, headCount: 4,
                kvHeadCount: isPlain ? 4 : 2, headWidth: isPlain ? 6 : 8, feedForwardWidth: 36, contextLength: 16,
                normEpsilon: 1e-5,
                positions: isPlain ? .learned : .rotary(RotaryEmbedding(base: 10_000, width: 8, pairing: .adjacent)),
                embeddingScale: isGemma ? Float(24).squareRoot() : 1, experts: family == .mixtral ? experts : nil,
                tiesEmbeddings: family != .mixtral, activation: isPlain || isGemma ? .geluTanh : .silu,
                pooling: family == .bert ? .mean : nil, tokenTypeCount: family == .bert ? 2 : 0),
            seed: 7)
        let tokens = try Tensor<Int32>((0..<16).map { Int32($0 * 3) }, shape: [2, 8])
        guard family != .bert else {
            #expect(try model.hidden(tokens, .evaluation).shape == [16, 24])
            return
        }
        let targets = try Tensor<Int32>((0..<16).map { Int32(($0 * 7 + 20) % 50) }, shape: [2, 8])
        let loss = try #require(try model.loss(tokens, targets: targets, .evaluation).scalar)
        #expect(abs(loss - 3.912) < 0.25)
        let folder = TemporaryFolder()
        try model.export(to: "\(folder.path)/fresh")
        let found = try runtimeLogits(Checkpoints.open("\(folder.path)/fresh"), Array(tokens.elements[..<8]))
        let own = try model.logits(tokens[0..<1], .evaluation).value.elements
        #expect(worst(found, own) < 1e-5)
    }

    @Test("a loss of weighted targets counts what weighs, and parts add up to the whole")
    func weights() throws {
        let golden = try FamilyGolden("qwen2")
        let model = try TrainableTransformer<Double>(golden.checkpoint)
        let tokens = try Tensor<Int32>((0..<12).map { Int32($0 * 5 % 96) }, shape: [2, 6])
        let targets = try Tensor<Int32>([3, 9, -1, 4, 5, 6, 7, -1, 1, 2, 3, 4], shape: [2, 6])
        let weights = try Tensor<Float>([1, 0.5, 1, 0, 2, 1, 0.25, 1, 1, 1, 0, 3], shape: [2, 6])
        let all = try model.loss(tokens, targets: targets, weights: weights, .evaluation).scalar!
        let logits = try logSoftmax(model.logits(tokens, .evaluation)).value
        var (sum, count) = (0.0, 0.0)
        for (row, target) in targets.elements.enumerated() where target >= 0 {
            let weight = Double(weights.elements[row])
            sum -= weight * (try logits.element(at: [row, Int(target)]))
            count += weight
        }
        #expect(abs(all - sum / count) < 1e-12)
        var parts = 0.0
        for row in 0..<2 {
            let part = row..<row + 1
            parts += try model.loss(
                tokens[part], targets: targets[part], weights: weights[part], divisor: count, .evaluation
            ).scalar!
        }
        #expect(abs(parts - all) < 1e-12)
    }

    @Test("wrong input is an error")
    func sentences() throws {
        let model = try TrainableTransformer<Float>(FamilyGolden("gpt2").checkpoint)
        func sentence(_ tokens: [Int32], _ shape: [Int], targets: [Int32]? = nil) throws -> String {
            do throws(TensorError) {
                let tokens = try Tensor(tokens, shape: shape)
                _ = try model.loss(
                    tokens, targets: targets.map { t throws(TensorError) in try Tensor(t) } ?? tokens, .evaluation)
                return "nothing"
            } catch {
                return error.sentence
            }
        }
        #expect(try sentence([1, 200], [1, 2]).contains("200"))
        #expect(try sentence([1, 2], [2]).contains("[sequences, positions]"))
        #expect(try sentence([1, 2], [1, 2], targets: [1]).contains("one target"))
        #expect(try sentence(Array(repeating: 1, count: 400), [1, 400]).contains("positions"))
    }
}

/// `[tokens, V]`.
func runtimeLogits(_ checkpoint: any Checkpoint, _ tokens: [Int32]) throws -> [Float] {
    let transformer = try Transformer.load(checkpoint)
    let cache = ContiguousKeyValues(checkpoint.configuration)
    let segment = Segment(tokens.map { TokenID($0) }, cache: cache, outputs: .all)
    let logits = try transformer.forward([segment], in: ForwardPass())
    return (0..<logits.rows).flatMap { logits[$0] }
}
