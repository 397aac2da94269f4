import Models
import Tensors
import TestFixtures
import Testing
import Training

@Suite("Transformers from GGUF")
struct GGUFTests {
    /// Llama's GGUF files hold rotating pairs side by side, and 16-bit or packed weights: both are undone on reading.
    @Test("an exported model that became GGUF computes the same", arguments: ["llama", "qwen2", "gemma3", "mixtral"])
    func roundTrip(name: String) throws {
        let golden = try FamilyGolden(name)
        let model = try TrainableTransformer<Float>(golden.checkpoint)
        let folder = TemporaryFolder()
        try model.export(to: folder.file("exported"))
        _ = try Quantizer(.f16).run(from: folder.file("exported"), to: folder.file("model.gguf"))
        let again = try TrainableTransformer<Float>(Checkpoints.open(folder.file("model.gguf")))
        #expect(again.decodedFormats == ["f16"])
        let tokens = try golden.tokens(try #require(golden.lengths.first))
        let found = try again.logits(tokens, .evaluation).value.elements
        #expect(worst(found, try model.logits(tokens, .evaluation).value.elements) < 1e-5)
    }
}
