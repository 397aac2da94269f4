import Models
import Tensors
import Testing
import Training

@Suite("Trainable transformers")
struct FamilyTests {
    @Test("every family computes the logits of transformers", arguments: FamilyGolden.decoders)
    func logits(name: String) throws {
        let golden = try FamilyGolden(name)
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        #expect(model.decodedFormats == ["f16"])
        for length in golden.lengths {
            let found = try model.logits(golden.tokens(length), .evaluation).value.elements
            #expect(worst(found, try golden.values("logits.\(length)")) < 1e-5, "\(name), \(length) tokens")
        }
    }

    @Test("float64 computes what float32 does, by the plain code", arguments: FamilyGolden.decoders)
    func precisions(name: String) throws {
        let golden = try FamilyGolden(name)
        let length = try #require(golden.lengths.first)
        let model = try TrainableTransformer<Double>(golden.checkpoint)
        let found = try model.logits(golden.tokens(length), .evaluation).value.elements.map { Float($0) }
        #expect(worst(found, try golden.values("logits.\(length)")) < 1e-5)
    }
}
