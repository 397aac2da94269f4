import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("GGUF files")
struct GGUFReadingTests {
    let file: GGUFFile

    init() throws { file = try GGUFFile("\(FileGoldens.folder)/values.gguf") }

    @Test("tell metadata of every type")
    func metadata() {
        let metadata = file.metadata
        #expect(metadata.string("general.architecture") == "llama")
        #expect(metadata.int("v.u8") == 200)
        #expect(metadata.int("v.i8") == -100)
        #expect(metadata.int("v.u16") == 60_000)
        #expect(metadata.int("v.i16") == -30_000)
        #expect(metadata.int("v.u32") == 4_000_000_000)
        #expect(metadata.int("v.i32") == -5)
        #expect(metadata.int("v.u64") == .max)
        #expect(metadata.int("v.i64") == .min)
        #expect(metadata.double("v.f32") == Double(Float(0.1)))
        #expect(metadata.double("v.f64") == 0.1)
        #expect(metadata.bool("v.bool") == true)
        #expect(metadata.string("v.string") == "▁wörter\n")
        #expect(metadata.strings("v.strings") == ["a", "", "▁b"])
        #expect(metadata.ints("v.ints") == [1, -2, 3])
        #expect(metadata.floats("v.floats") == [0.5, 1.5])
        #expect(metadata.bools("v.bools") == [true, false])
    }

    @Test("answer nil to a question for another type")
    func otherTypes() {
        #expect(file.metadata.string("v.u8") == nil)
        #expect(file.metadata.int("v.string") == nil)
        #expect(file.metadata.ints("v.strings") == nil)
        #expect(file.metadata.strings("v.ints") == nil)
        #expect(file.metadata["absent"] == nil)
        #expect(file.metadata.type(of: "v.strings") == .array)
    }

    @Test("give the numbers that gguf decodes, in every type")
    func tensors() throws {
        let checkpoint = try Checkpoints.open(file.path)
        for (name, expected) in try FileGoldens.expected("values.json") where name != "t.Q5_0" {
            #expect(checkpoint.shape(of: name) == expected.shape, "\(name)")
            let sum = FileGoldens.weightedSum(try numbers(name, of: checkpoint))
            #expect(abs(sum - expected.sum) <= 1e-9 * max(1, abs(expected.sum)), "\(name)")
        }
    }

    @Test("a split file is one model, no matter which part is opened", arguments: 1...3)
    func split(part: Int) throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/split/tiny-0000\(part)-of-00003.gguf")
        #expect(checkpoint.tensorNames.count == 11)
        #expect(checkpoint.configuration.width == 8)
        #expect(try numbers("blk.0.ffn_down.weight", of: checkpoint).count == 64)
    }

    @Test("a missing part is named")
    func missingPart() {
        let folder = TemporaryFolder()
        for part in [1, 3] {
            File.copy(
                "\(FileGoldens.folder)/split/tiny-0000\(part)-of-00003.gguf",
                to: folder.file("tiny-0000\(part)-of-00003.gguf"))
        }
        let path = folder.file("tiny-00001-of-00003.gguf")
        #expect(
            sentence { _ = try Checkpoints.open(path) }
                == "\(folder.file("tiny-00002-of-00003.gguf")): a part of the model is missing. "
                + "Download all 3 parts.")
    }

    @Test("renamed parts are an error")
    func renamedPart() {
        let folder = TemporaryFolder()
        File.copy("\(FileGoldens.folder)/split/tiny-00001-of-00003.gguf", to: folder.file("model.gguf"))
        #expect(
            sentence { _ = try Checkpoints.open(folder.file("model.gguf")) }.contains(
                "the model has 3 parts, but the file name lacks the part number"))
    }

    @Test("tensors with an alignment of one byte are copied")
    func misaligned() throws {
        var bytes = GGUFBytes()
        bytes.entries = [GGUFBytes.entry("general.architecture", 8, GGUFBytes.string("llama"))]
        for (key, value) in [
            ("context_length", 8), ("embedding_length", 2), ("block_count", 1), ("feed_forward_length", 2),
            ("attention.head_count", 1), ("vocab_size", 2),
        ] { bytes.entries.append(GGUFBytes.entry("llama.\(key)", 4, GGUFBytes.little(UInt32(value)))) }
        let epsilon = GGUFBytes.little(Float(1e-5).bitPattern)
        bytes.entries.append(GGUFBytes.entry("llama.attention.layer_norm_rms_epsilon", 6, epsilon))
        bytes.alignment = 1
        bytes.tensors = [GGUFBytes.tensor("w", [2, 2], offset: 1)]
        // With an alignment of 1 nothing is padded: the data begin where the header ends.
        var whole = bytes.bytes
        while whole.last == 0, whole.count > 0 { whole.removeLast() }
        whole += [0, 0, 0, 0, 0, 0, 0] + [9] + [1, 2, 3, 4].flatMap { GGUFBytes.little(Float($0).bitPattern) }
        let folder = TemporaryFolder()
        File.write(whole, to: folder.file("w.gguf"))
        let checkpoint = try Checkpoints.open(folder.file("w.gguf"))
        #expect(try numbers("w", of: checkpoint) == [1, 2, 3, 4])
    }

    @Test(
        "files with only a vocabulary open, and report the missing weights",
        .enabled(if: FileGoldens.hasShared, "no shared data"))
    func vocabularyOnly() throws {
        let path = "\(FileGoldens.shared)/vocab/ggml-vocab-qwen2.gguf"
        let summary = try Checkpoints.summary(path)
        #expect(summary.problem == "The file has a vocabulary but no weights.")
        #expect(try GGUFFile(path).vocabulary?.tokens.count == 151_936)
    }
}
