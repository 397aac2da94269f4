import Kernels
import Models
import TestFixtures
import Testing

/// Folders as transformers 5 saved them.
@Suite("Folders of Hugging Face")
struct HuggingFaceTests {
    static let families: [(String, ArchitectureDescriptor)] = [
        ("llama", .llama), ("mistral", .llama), ("qwen2", .qwen2), ("qwen3", .qwen3), ("gemma2", .gemma2),
        ("gemma3", .gemma3), ("gpt2", .gpt2), ("phi3", .phi3), ("mixtral", .mixtral), ("bert", .bert),
        ("cross-encoder", .bert),
    ]

    @Test("hold every tensor under its name of GGUF, in the form of GGUF", arguments: families)
    func tensors(name: String, family: ArchitectureDescriptor) throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/families/\(name)")
        #expect(checkpoint.configuration.family == family)
        var seen = 0
        for (tensor, expected) in try FileGoldens.expected("families/\(name)/expected.json") {
            #expect(checkpoint.shape(of: tensor) == expected.shape, "\(tensor)")
            let sum = FileGoldens.weightedSum(try numbers(tensor, of: checkpoint))
            #expect(abs(sum - expected.sum) <= 1e-9 * max(1, abs(expected.sum)), "\(tensor): \(sum), \(expected.sum)")
            seen += expected.shape.count == 3 ? expected.shape[0] : 1
        }
        #expect(seen == checkpoint.tensorNames.count)
    }

    @Test(
        "weights quantized by bitsandbytes decode to the same numbers",
        arguments: [("nf4", WeightFormat.nf4), ("int8", .int8)])
    func bitsAndBytes(name: String, format: WeightFormat) throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/\(name)")
        let all = try FileGoldens.expected("\(name)/expected.json")
        #expect(all.count == 7)
        for (tensor, expected) in all {
            let matrix = try checkpoint.matrix(tensor, rows: expected.shape[0], columns: expected.shape[1])
            #expect(matrix.format == format)
            let sum = FileGoldens.weightedSum(rows(of: matrix))
            #expect(abs(sum - expected.sum) <= 1e-5 * max(1, abs(expected.sum)), "\(tensor): \(sum), \(expected.sum)")
        }
        #expect(checkpoint.shape(of: "token_embd.weight") == [40, 64])
    }

    @Test("open by the file with the weights too")
    func loneFile() throws {
        let folder = "\(FileGoldens.folder)/families/llama"
        let byFile = try Checkpoints.open("\(folder)/model.safetensors")
        #expect(byFile.configuration == (try Checkpoints.open(folder)).configuration)
        #expect(byFile.tensorNames.count == 29)
    }

    @Test("say what is missing or foreign in them")
    func incomplete() throws {
        let golden = "\(FileGoldens.folder)/families/llama"
        let folder = TemporaryFolder()
        let path = folder.path
        func answer() -> String { sentence { _ = try Checkpoints.open(path) } }

        #expect(
            answer() == "\(path): the folder has no safetensors file. Download the weights.")
        File.write("x", to: folder.file("pytorch_model.bin"))
        #expect(
            answer() == "\(path): pickled weights are not supported. "
                + "Save the model with save_pretrained(path, safe_serialization=True).")
        File.copy("\(golden)/model.safetensors", to: folder.file("model.safetensors"))
        #expect(
            answer() == "\(path)/config.json: cannot open the file: No such file or directory. "
                + "Check the path and its permissions.")
        File.write("{\"model_type\": \"rwkv\"}", to: folder.file("config.json"))
        #expect(
            answer() == "\(path)/config.json, byte 0: unsupported model type rwkv. Supported: llama, qwen2, "
                + "qwen3, gemma2, gemma3, gpt2, phi3, mixtral, bert, mistral.")
        File.write("{\"model_type\": ", to: folder.file("config.json"))
        #expect(
            answer()
                == "\(path)/config.json, byte 15: invalid JSON: the text ends in the middle of an object or array. "
                + "Download it again.")
    }

    @Test(
        "an index that leads out of the folder is rejected",
        arguments: ["../x.safetensors", "/etc/passwd", "..", ""])
    func escapingIndex(name: String) {
        let folder = TemporaryFolder()
        let index = folder.file("model.safetensors.index.json")
        File.write("{\"weight_map\": {\"w\": \"\(name)\"}}", to: index)
        #expect(
            sentence { _ = try Checkpoints.open(folder.path) }
                == "\(index), byte 21: a value of weight_map is not a file name. Download the index again.")
    }

    @Test("whose configuration belongs to other weights say so at the first tensor")
    func otherSizes() throws {
        let path = "\(FileGoldens.folder)/families/llama"
        let checkpoint = try Checkpoints.open(path)
        let answer = sentence { _ = try checkpoint.matrix("blk.0.attn_q.weight", rows: 32, columns: 16) }
        #expect(
            answer.hasSuffix(
                "blk.0.attn_q.weight has shape [16, 16], but the configuration requires [32, 16]. "
                    + "The configuration and the weights do not match. Download both again."))
        #expect(
            sentence { _ = try checkpoint.vector("blk.7.attn_norm.weight", count: 16) }
                == "\(path): tensor blk.7.attn_norm.weight is missing. "
                + "The file may be incomplete, or not a llama model. Download it again.")
    }

    @Test("share the memory of the mapped file where nothing must be changed")
    func inPlace() throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/families/llama")
        let first = try checkpoint.matrix("blk.0.ffn_up.weight", rows: 24, columns: 16)
        let second = try checkpoint.matrix("blk.0.ffn_up.weight", rows: 24, columns: 16)
        #expect(first.bytes.baseAddress == second.bytes.baseAddress)
    }
}
