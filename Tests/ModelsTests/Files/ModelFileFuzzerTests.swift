import Models
import TestFixtures
import Testing

@Suite("Damaged model files")
struct ModelFileFuzzerTests {
    static let inputs: [(ModelFileFuzzer.Kind, String)] = [
        (.gguf, "values.gguf"), (.gguf, "split/tiny-00001-of-00003.gguf"), (.safetensors, "nf4/model.safetensors"),
        (.safetensors, "int8/model.safetensors"), (.configuration, "families/phi3/config.json"),
        (.configuration, "families/gemma3/config.json"),
    ]

    @Test("are read or refused with a sentence", arguments: inputs)
    func damaged(kind: ModelFileFuzzer.Kind, name: String) throws {
        let bytes = try #require(File.bytes("\(FileGoldens.folder)/\(name)"))
        let report = ModelFileFuzzer.run(kind, on: bytes, seed: 1, count: 80)
        #expect(report.runs == 80)
        #expect(report.wordless.isEmpty)
        // Damage that is never noticed, or always, would test nothing.
        #expect(report.refused > 0)
        #expect(report.read > 0)
    }

    @Test("damaged llama2.c files with a matching length are read or rejected")
    func llama2c() {
        let bytes = LlamaFile(width: 8, hidden: 8, layers: 1).bytes
        let report = ModelFileFuzzer.run(.llama2c, on: bytes, seed: 1, count: 100)
        #expect(report.refused > 0)
        #expect(report.read > 0)
    }

    @Test("are damaged in the same way by the same seed")
    func seeded() throws {
        let bytes = try #require(File.bytes("\(FileGoldens.folder)/values.gguf"))
        let first = ModelFileFuzzer.run(.gguf, on: bytes, seed: 7, count: 40)
        #expect(first == ModelFileFuzzer.run(.gguf, on: bytes, seed: 7, count: 40))
    }
}
