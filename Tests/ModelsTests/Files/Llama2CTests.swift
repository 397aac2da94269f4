import Models
import TestFixtures
import Testing
import Tokenizers

/// Models and vocabularies of llama2.c.
@Suite("llama2.c files")
struct Llama2CTests {
    /// Seven sizes, then numbers that count up from 0.
    private func model(vocabulary: Int32 = 6, missing: Int = 0) -> [UInt8] {
        let (width, hidden, layers, kvWidth, context) = (8, 12, 2, 4, 5)
        let sizes: [Int32] = [8, 12, 2, 4, 2, vocabulary, 5]
        let perLayer = 2 * width + 2 * width * width + 2 * kvWidth * width + 3 * width * hidden
        let tied = vocabulary > 0
        let rows = Int(abs(vocabulary))
        let count = rows * width * (tied ? 1 : 2) + layers * perLayer + width + context * 2
        return sizes.flatMap(GGUFBytes.little)
            + (0..<count - missing).flatMap { GGUFBytes.little(Float($0).bitPattern) }
    }

    @Test("are known by their sizes, tied or not", arguments: [Int32(6), -6])
    func sizes(vocabulary: Int32) throws {
        let folder = TemporaryFolder()
        File.write(model(vocabulary: vocabulary), to: folder.file("m.bin"))
        let checkpoint = try Checkpoints.open(folder.file("m.bin"))
        let configuration = checkpoint.configuration
        #expect(configuration.family == .llama)
        #expect(configuration.vocabularySize == 6)
        #expect(configuration.headWidth == 2)
        #expect(configuration.kvHeadCount == 2)
        #expect(configuration.tiesEmbeddings == (vocabulary > 0))
        guard case .rotary(let rotary) = configuration.positions else {
            Issue.record("no rotary positions")
            return
        }
        #expect(rotary.pairing == .adjacent)
        // The embedding has 48 numbers; then come two rows of eight for each of the nine arrays of a layer.
        #expect(try checkpoint.vector("blk.1.attn_norm.weight", count: 8) == (56..<64).map(Float.init))
        #expect(try numbers("blk.0.attn_q.weight", of: checkpoint).first == 64)
        #expect(try numbers("blk.1.attn_q.weight", of: checkpoint).first == 128)
        #expect(checkpoint.shape(of: "output.weight") == (vocabulary > 0 ? nil : [6, 8]))
        let last = try checkpoint.vector("output_norm.weight", count: 8)
        #expect(last.first == Float(48 + 2 * (16 + 2 * 64 + 2 * 32 + 3 * 96)))
    }

    @Test("a file one value short is rejected")
    func short() {
        let folder = TemporaryFolder()
        File.write(model(missing: 1), to: folder.file("m.bin"))
        #expect(
            sentence { _ = try Checkpoints.open(folder.file("m.bin")) }
                == "\(folder.file("m.bin")), byte 0: not a GGUF, safetensors, or llama2.c file. "
                + "Use a GGUF file, a folder with config.json, or a llama2.c file.")
    }

    @Test(
        "stories260K opens, and equals the numbers in its file", .enabled(if: FileGoldens.hasShared, "no shared data"))
    func stories() throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.shared)/stories260K/stories260K.bin")
        let configuration = checkpoint.configuration
        #expect(configuration.width == 64)
        #expect(configuration.layerCount == 5)
        #expect(configuration.headCount == 8)
        #expect(configuration.kvHeadCount == 4)
        #expect(configuration.vocabularySize == 512)
        #expect(configuration.tiesEmbeddings)
        #expect(checkpoint.weightBytes == 1_040_128)
        #expect(checkpoint.tensorNames.count == 47)
    }
}
