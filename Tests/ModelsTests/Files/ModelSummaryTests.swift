import JSON
import Models
import TestFixtures
import Testing

@Suite("What is in a model's files")
struct ModelSummaryTests {
    @Test("a summary has formats, tensors, and metadata")
    func gguf() throws {
        let summary = try Checkpoints.summary("\(FileGoldens.folder)/values.gguf")
        #expect(summary.kind == "GGUF version 3")
        #expect(summary.tensors.count == 9)
        let q8 = try #require(summary.formats.first { $0.name == "Q8_0" })
        #expect(q8.parameters == 256)
        #expect(q8.bytes == 272)
        #expect(summary.metadata.first { $0.key == "v.strings" }?.value == "[a, , ▁b]")
        #expect(summary.metadata.first { $0.key == "v.strings" }?.type == "string[3]")
        #expect(summary.metadata.first { $0.key == "v.string" }?.value == "▁wörter ")
        #expect(summary.metadata.first { $0.key == "v.f32" }?.value == "0.1")
        #expect(summary.configuration?.width == 32)
    }

    @Test("names tensors of Hugging Face both ways, with their scales counted")
    func folder() throws {
        let summary = try Checkpoints.summary("\(FileGoldens.folder)/nf4")
        let tensor = try #require(summary.tensors.first { $0.knownAs == "blk.0.attn_q.weight" })
        #expect(tensor.name == "model.layers.0.self_attn.q_proj.weight")
        #expect(tensor.format == "NF4")
        #expect(tensor.shape == [64, 64])
        // Half a byte a weight, a scale of one byte for 64, and tables.
        #expect(tensor.bytes > 2048 + 64)
        #expect(summary.configuration?.family == .llama)
        #expect(summary.metadata.contains { $0.key == "model_type" && $0.value == "llama" })
    }

    @Test("a summary of an unsupported model has the reason")
    func unknown() throws {
        let folder = TemporaryFolder()
        var bytes = GGUFBytes()
        bytes.entries = [GGUFBytes.entry("general.architecture", 8, GGUFBytes.string("rwkv9"))]
        bytes.tensors = [GGUFBytes.tensor("t", [256], type: 17)]
        bytes.data = [UInt8](repeating: 0, count: 74)
        File.write(bytes.bytes, to: folder.file("m.gguf"))
        let summary = try Checkpoints.summary(folder.file("m.gguf"))
        #expect(summary.configuration == nil)
        #expect(
            summary.problem == "\(folder.file("m.gguf")): unsupported architecture rwkv9. "
                + "Supported: llama, qwen2, qwen3, gemma2, gemma3, gpt2, phi3, bert.")
        #expect(summary.formats.map(\.name) == ["IQ2_XS"])
    }

    @Test("is one JSON object")
    func json() throws {
        let summary = try Checkpoints.summary("\(FileGoldens.folder)/families/gemma3")
        try JSONDocument(parsing: summary.json()).withRoot { root in
            #expect(root["runs"]?.bool == true)
            #expect(root["tensors"]?.count == 41)
            #expect(root["configuration"]?["family"]?.equals("gemma3") == true)
            #expect(root["parameters"]?.int == Int64(summary.parameters))
        }
    }
}
