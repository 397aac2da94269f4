import Kernels
import Testing

@Suite("Formats of quantized weights")
struct QuantizationTests {
    /// Half a step of amax / 127; a step of amax / 8, whose other end is cut; half a step of (max - min) / 15 and / 31; half
    /// a step of amax / 32.
    static let steps: [(Quantization, Float)] = [
        (.q8_0, 0.5 / 127), (.q4_0, 1.0 / 8), (.q4_k, 1.0 / 15), (.q5_k, 1.0 / 31), (.q6_k, 1.0 / 64),
    ]

    @Test("a row of weights between -1 and 1 comes back within a step of its format", arguments: steps)
    func roundTrip(format: Quantization, step: Float) throws {
        let weights = (0..<1024).map { Float(($0 * 37) % 101) / 50 - 1 }
        var row = [UInt8](repeating: 0, count: try #require(format.byteCount(weights.count)))
        var back = [Float](repeating: .nan, count: weights.count)
        format.encode(weights, count: weights.count, into: &row)
        format.decode(row, count: weights.count, into: &back)
        let worst = zip(weights, back).reduce(0) { max($0, abs($1.0 - $1.1)) }
        #expect(worst <= 1.1 * step && worst > 0)
    }

    @Test("blocks decode to the numbers that numpy finds", arguments: QuantizationGolden.decoded.indices)
    func decoding(index: Int) throws {
        let golden = QuantizationGolden.decoded[index]
        let format = try #require(Quantization(rawValue: golden.format))
        let expected = floats(ofHex: golden.weights)
        var found = [Float](repeating: 0, count: expected.count)
        format.decode(bytes(ofHex: golden.block), count: expected.count, into: &found)
        #expect(found.count == format.blockSize)
        for i in found.indices { #expect(found[i].bitPattern == expected[i].bitPattern, "weight \(i)") }
    }

    @Test("the twin in Swift decodes to the same numbers", arguments: QuantizationGolden.decoded.indices)
    func twin(index: Int) throws {
        let golden = QuantizationGolden.decoded[index]
        let format = try #require(Quantization(rawValue: golden.format))
        let expected = floats(ofHex: golden.weights)
        let found = bytes(ofHex: golden.block).withUnsafeBytes {
            QuantizedTwin.decode(format, $0, count: expected.count)
        }
        for i in expected.indices {
            let difference = abs(found.weights[i] - Double(expected[i]))
            #expect(difference <= found.terms[i] * 0x1p-22, "weight \(i)")
        }
    }

    @Test("rows encode to the bytes that numpy finds", arguments: QuantizationGolden.encoded.indices)
    func encoding(index: Int) throws {
        let golden = QuantizationGolden.encoded[index]
        let format = try #require(Quantization(rawValue: golden.format))
        let weights = floats(ofHex: golden.weights)
        var found = [UInt8](repeating: 0, count: try #require(format.byteCount(weights.count)))
        format.encode(weights, count: weights.count, into: &found)
        #expect(found == bytes(ofHex: golden.row))
    }

    @Test("rows encode to the bytes that llama.cpp makes of them", arguments: LlamaRowsGolden.encoded.indices)
    func llamaBytes(index: Int) throws {
        let golden = LlamaRowsGolden.encoded[index]
        let format = try #require(Quantization(rawValue: golden.format))
        #expect(golden.rows.count == LlamaRowsGolden.rows.count)
        for (row, expected) in zip(LlamaRowsGolden.rows, golden.rows) {
            let weights = floats(ofHex: row.weights)
            var found = [UInt8](repeating: 0, count: try #require(format.byteCount(weights.count)))
            format.encode(weights, count: weights.count, into: &found)
            #expect(found == bytes(ofHex: expected), "\(row.name)")
        }
    }

    @Test("the search for Q4_K beats taking each run from its lowest to its highest weight")
    func searchPays() {
        var bits = SeededBits(seed: 5)
        let weights = (0..<2048).map { _ in bits.signedUnit() + bits.signedUnit() + bits.signedUnit() }
        var row = [UInt8](repeating: 0, count: 8 * 144)
        var back = [Float](repeating: 0, count: weights.count)
        Quantization.q4_k.encode(weights, count: weights.count, into: &row)
        Quantization.q4_k.decode(row, count: weights.count, into: &back)
        let found = zip(weights, back).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        var plain: Float = 0
        for first in stride(from: 0, to: weights.count, by: 32) {
            let run = weights[first..<first + 32]
            let low = min(0, run.min() ?? 0)
            let step = ((run.max() ?? 0) - low) / 15
            for x in run {
                let error = x - (((x - low) / step).rounded() * step + low)
                plain += error * error
            }
        }
        // The plain way keeps its scales in full; the search pays for six bits and still comes out below.
        #expect(found < plain)
    }

    @Test("a run of equal, of huge and of undefined weights encodes without harm", arguments: Quantization.allCases)
    func oddRows(format: Quantization) throws {
        for value: Float in [0, 0.25, -0.25, 0x1p-140, 1e30, .infinity, .nan] {
            let weights = [Float](repeating: value, count: 256)
            var row = [UInt8](repeating: 0xaa, count: try #require(format.byteCount(256)))
            var back = [Float](repeating: 0, count: 256)
            format.encode(weights, count: 256, into: &row)
            format.decode(row, count: 256, into: &back)
            if abs(value) == 0.25 || value == 0 { #expect(back.allSatisfy { abs($0 - value) < 2e-4 }, "\(value)") }
        }
    }

    @Test(
        "sizes that are not whole blocks, or absurd, have no bytes",
        arguments: [
            (Quantization.q8_0, 33), (.q4_0, 16), (.q4_k, 128), (.q6_k, 32), (.q8_0, -32), (.q8_0, Int.max / 32 * 32),
        ])
    func sizes(format: Quantization, weights: Int) { #expect(format.byteCount(weights) == nil) }

    @Test("rows that do not fit their bytes or their blocks are refused in a sentence")
    func refusals() {
        let few = [UInt8](repeating: 0, count: 100)
        few.withUnsafeBytes { few in
            let short = #expect(throws: KernelError.self) {
                try QuantizedRows(.q8_0, rows: 3, columns: 32, bytes: few)
            }
            #expect(
                short?.sentence == "q8_0: 3 rows of 32 weights need 102 bytes, but there are 100.")
            let odd = #expect(throws: KernelError.self) {
                try QuantizedRows(.q4_k, rows: 1, columns: 100, bytes: few)
            }
            #expect(odd?.sentence == "q4_k: a row has 100 weights, but q4_k needs a multiple of 256.")
            #expect(throws: KernelError.memory(bytes: nil)) {
                try QuantizedRows(.q8_0, rows: .max / 2, columns: 32, bytes: few)
            }
        }
    }
}
