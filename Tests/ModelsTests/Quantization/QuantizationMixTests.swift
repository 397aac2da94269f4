import Models
import TestFixtures
import Testing

/// Formats of tensors, compared with those of llama.cpp 0.3.36 for equal shapes.
@Suite("Mixes of formats")
struct QuantizationMixTests {
    /// A model of twelve layers, so small that only its names and widths matter.
    private func formats(_ target: QuantizationTarget, width: Int = 256, tied: Bool = false) throws -> [String: String]
    {
        let folder = TemporaryFolder()
        let path = folder.file("m.bin")
        File.write(LlamaFile(width: width, hidden: width, layers: 12, tied: tied).bytes, to: path)
        let report = try Quantizer(target).run(from: path, to: folder.file("q.gguf"))
        return Dictionary(uniqueKeysWithValues: report.tensors.map { ($0.name, $0.to) })
    }

    /// The layers in which a matrix has that format.
    private func layers(_ part: String, _ format: String, _ formats: [String: String]) -> [Int] {
        (0..<12).filter { formats["blk.\($0).\(part).weight"] == format }
    }

    @Test("give Q4_K_M's sensitive matrices six bits")
    func medium() throws {
        let formats = try formats(.q4_k_m)
        // Of twelve layers the first, the last two, and every third from the fourth on.
        let sensitive = [0, 3, 6, 9, 10, 11]
        #expect(layers("ffn_down", "Q6_K", formats) == sensitive)
        #expect(layers("attn_v", "Q6_K", formats) == sensitive)
        #expect(layers("ffn_down", "Q4_K", formats) == [1, 2, 4, 5, 7, 8])
        #expect(layers("attn_q", "Q4_K", formats) == Array(0..<12))
        #expect(formats["output.weight"] == "Q6_K")
        #expect(formats["token_embd.weight"] == "Q4_K")
        #expect(formats["blk.0.attn_norm.weight"] == "F32")
    }

    @Test("give Q4_K_S's first matrices five bits")
    func small() throws {
        let formats = try formats(.q4_k_s)
        #expect(layers("attn_v", "Q5_K", formats) == [0, 1, 2, 3])
        #expect(layers("ffn_down", "Q5_K", formats) == [0])
        #expect(formats["output.weight"] == "Q6_K")
    }

    @Test(
        "give the embedding the bits of the output matrix where both are one",
        arguments: [QuantizationTarget.q4_0, .q4_k_m])
    func tied(target: QuantizationTarget) throws {
        let formats = try formats(target, tied: true)
        #expect(formats["token_embd.weight"] == "Q6_K")
        #expect(formats["output.weight"] == nil)
    }

    @Test("leave Q8_0 as it is everywhere")
    func eightBits() throws {
        let formats = try formats(.q8_0)
        #expect(Set(formats.filter { !$0.key.contains("norm") }.values) == ["Q8_0"])
    }

    @Test(
        "rows that are not a multiple of 256 get Q8_0, and F16 if not a multiple of 32",
        arguments: [(64, "Q8_0"), (48, "F16")])
    func fallback(width: Int, format: String) throws {
        let formats = try formats(.q4_k_m, width: width)
        #expect(Set(formats.filter { !$0.key.contains("norm") }.values) == [format])
    }
}

/// A llama2.c file of one head, its numbers from a small congruence.
struct LlamaFile {
    var width: Int
    var hidden: Int
    var layers: Int
    var vocabulary = 3
    var tied = false

    var bytes: [UInt8] {
        let sizes = [width, hidden, layers, 1, 1, tied ? vocabulary : -vocabulary, 1]
        let perLayer = 2 * width + 4 * width * width + 3 * width * hidden
        let count = vocabulary * width * (tied ? 1 : 2) + layers * perLayer + width + width
        var bytes = sizes.flatMap { GGUFBytes.little(Int32($0)) }
        bytes.reserveCapacity(bytes.count + 4 * count)
        var state: UInt32 = 1
        for _ in 0..<count {
            state = state &* 1_664_525 &+ 1_013_904_223
            withUnsafeBytes(of: (Float(state >> 8) / 0x1p23 - 1).bitPattern.littleEndian) {
                bytes.append(contentsOf: $0)
            }
        }
        return bytes
    }
}
