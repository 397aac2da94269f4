import Models
import TestFixtures
import Testing

@Suite("Quantizing models")
struct QuantizerTests {
    private let folder = TemporaryFolder()

    private func golden(_ name: String) -> String { "\(FileGoldens.folder)/families/\(name)" }

    @Test(
        "Hugging Face to F32 GGUF preserves configuration and numbers",
        arguments: [
            "llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3", "gpt2", "phi3", "mixtral", "bert",
            "cross-encoder",
        ])
    func export(name: String) throws {
        let path = folder.file("m.gguf")
        _ = try Quantizer(.f32).run(from: golden(name), to: path)
        let before = try Checkpoints.open(golden(name))
        let after = try Checkpoints.open(path)
        #expect(configuration(after, of: before) == before.configuration)
        for (tensor, expected) in try FileGoldens.expected("families/\(name)/expected.json") {
            if tensor == "output.weight", before.configuration.tiesEmbeddings { continue }
            #expect(after.shape(of: tensor) == expected.shape, "\(tensor)")
            var values = try numbers(tensor, of: after)
            if isTurned(tensor, before.configuration) { values = turnedBack(values, tensor, before.configuration) }
            let sum = FileGoldens.weightedSum(values)
            #expect(abs(sum - expected.sum) <= 1e-9 * max(1, abs(expected.sum)), "\(tensor)")
        }
    }

    /// What the copy says, but for what a GGUF file says in another way.
    private func configuration(_ after: any Checkpoint, of before: any Checkpoint) -> ModelConfiguration {
        var configuration = after.configuration
        if case .rotary(var rotary) = configuration.positions,
            case .rotary(let original) = before.configuration.positions
        {
            #expect(
                rotary.pairing
                    == (configuration.family == .llama || configuration.family == .mixtral ? .adjacent : .halves))
            rotary.pairing = original.pairing
            if case .factors(let factors) = rotary.scaling {
                // Two pairs: a short wave that stays, a long one that is slowed down by the factor.
                #expect(factors == [1, 8])
                rotary.scaling = original.scaling
            }
            configuration.positions = .rotary(rotary)
        }
        return configuration
    }

    private func isTurned(_ tensor: String, _ configuration: ModelConfiguration) -> Bool {
        (configuration.family == .llama || configuration.family == .mixtral)
            && (tensor.contains("attn_q.") || tensor.contains("attn_k."))
    }

    /// Rows 2i + j of a head are rows i + j · width / 2 of Hugging Face.
    private func turnedBack(_ values: [Float], _ tensor: String, _ configuration: ModelConfiguration) -> [Float] {
        let columns = tensor.hasSuffix(".bias") ? 1 : configuration.width
        let half = configuration.headWidth / 2
        let count = values.count / columns
        var result = values
        for row in 0..<count {
            let (head, inside) = (row / (2 * half), row % (2 * half))
            let source = head * 2 * half + inside / half + inside % half * 2
            result[row * columns..<(row + 1) * columns] = values[source * columns..<(source + 1) * columns]
        }
        return result
    }

    @Test(
        "to NF4 and INT8 gives a folder that is read back with the errors of the report",
        arguments: [QuantizationTarget.nf4, .int8])
    func folders(target: QuantizationTarget) throws {
        let path = folder.file("q")
        let report = try Quantizer(target).run(from: golden("llama"), to: path)
        let before = try Checkpoints.open(golden("llama"))
        let after = try Checkpoints.open(path)
        #expect(after.configuration.width == before.configuration.width)
        #expect(after.shape(of: "blk.0.ffn_down.weight") == [16, 24])
        let encoded = report.tensors.filter { $0.error != nil }
        #expect(encoded.count == 14)
        let name = try #require(encoded.first { $0.name == "model.layers.0.mlp.down_proj.weight" })
        let old = try numbers("blk.0.ffn_down.weight", of: before)
        let new = try numbers("blk.0.ffn_down.weight", of: after)
        let worst = zip(old, new).map { abs($0 - $1) }.max() ?? 0
        #expect(abs(Double(worst) - (name.error?.maximum ?? 0)) < 1e-6)
        #expect(report.error.relative < (target == .nf4 ? 0.12 : 0.01))
        #expect(try numbers("token_embd.weight", of: after) == numbers("token_embd.weight", of: before))
        #expect(File.text("\(path)/config.json")?.contains("\"quant_method\": \"bitsandbytes\"") == true)
        #expect(File.text("\(path)/generation_config.json") == File.text(golden("llama") + "/generation_config.json"))
    }

    @Test("GGUF to GGUF preserves metadata except for the changed keys")
    func metadata() throws {
        let path = folder.file("q.gguf")
        let source = folder.file("m.gguf")
        _ = try Quantizer(.f32).run(from: golden("llama"), to: source)
        _ = try Quantizer(.f16).run(from: source, to: path)
        let (before, after) = (try GGUFFile(source).metadata, try GGUFFile(path).metadata)
        #expect(after.keys == before.keys)
        for key in before.keys where key != "general.file_type" { #expect(after[key] == before[key], "\(key)") }
        #expect(after.int("general.file_type") == 1)
    }

    @Test("joins the parts of a split model")
    func split() throws {
        let path = folder.file("q.gguf")
        _ = try Quantizer(.f16).run(from: "\(FileGoldens.folder)/split/tiny-00001-of-00003.gguf", to: path)
        let file = try GGUFFile(path)
        #expect(file.tensors.count == 11)
        #expect(!file.metadata.keys.contains { $0.hasPrefix("split.") })
    }

    @Test("replaces nothing unasked")
    func refusal() throws {
        let path = folder.file("q.gguf")
        File.write("mine", to: path)
        #expect(
            sentence { _ = try Quantizer(.f16).run(from: golden("llama"), to: path) }
                == "\(path): the path already exists. Choose another path, or allow overwriting.")
        #expect(File.text(path) == "mine")
        _ = try Quantizer(.f16, replaces: true).run(from: golden("llama"), to: path)
        #expect(try GGUFFile(path).tensors.count == 30)
        // A folder takes the place of the file, and another that of the folder.
        for target in [QuantizationTarget.nf4, .int8] {
            _ = try Quantizer(target, replaces: true).run(from: golden("llama"), to: path)
        }
        #expect(try Checkpoints.summary(path).formats.contains { $0.name == "INT8" })
        #expect(folder.names == ["q.gguf"])
    }

    @Test("a canceled quantization leaves no files", arguments: [QuantizationTarget.q8_0, .nf4])
    func cancelled(target: QuantizationTarget) {
        var seen = 0
        let answer = sentence {
            _ = try Quantizer(target).run(
                from: golden("llama"), to: folder.file("q"), isCancelled: { true }, progress: { _ in seen += 1 })
        }
        #expect(answer.hasSuffix("canceled."))
        #expect(folder.names.isEmpty)
    }

    @Test("quantization reports its progress")
    func progress() throws {
        var steps: [QuantizationProgress] = []
        _ = try Quantizer(.q8_0).run(from: golden("qwen2"), to: folder.file("q.gguf"), progress: { steps.append($0) })
        #expect(steps.first?.fraction == 0)
        #expect(steps.map(\.index) == Array(0..<steps.count))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
        #expect(steps.last.map { $0.fraction < 1 } == true)
    }

    @Test("refuses numbers that no block can hold")
    func infinite() throws {
        var bytes = LlamaFile(width: 32, hidden: 32, layers: 1).bytes
        bytes.replaceSubrange(28..<32, with: GGUFBytes.little(Float.infinity.bitPattern))
        let path = folder.file("m.bin")
        File.write(bytes, to: path)
        let answer = sentence { _ = try Quantizer(.q8_0).run(from: path, to: folder.file("q.gguf")) }
        #expect(
            answer == "\(path): token_embd.weight has a value that is infinite, NaN, or too large for q8_0. "
                + "Quantize to bf16 or f32, or repair the model.")
        #expect(folder.names == ["m.bin"])
    }

    @Test("to NF4 wants a folder to start from")
    func foreignSource() {
        let path = "\(FileGoldens.folder)/values.gguf"
        #expect(
            sentence { _ = try Quantizer(.nf4).run(from: path, to: folder.file("q")) }
                == "\(path): nf4 requires a Hugging Face folder as input and output. Use the original folder of "
                + "the model, or quantize to q8_0 or q4_k_m.")
    }
}
