import JSON
import Tensors
import TestFixtures
import Testing

/// What Goldens/random-make.py wrote.
enum RandomGolden {
    static func read<R>(_ body: (JSONNode) throws -> R) throws -> R {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let text = try #require(File.text(folder + "/Goldens/random-philox.json"))
        return try JSONParser().parse(text, body)
    }
}

@Suite("Philox")
struct PhiloxTests {
    @Test(
        "Philox4x32-10 gives Random123's known answers",
        arguments: [
            (SIMD4<UInt32>.zero, SIMD2<UInt32>.zero, SIMD4<UInt32>(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8)),
            (
                SIMD4(repeating: UInt32.max), SIMD2(repeating: UInt32.max),
                SIMD4(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd)
            ),
            (
                SIMD4(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344), SIMD2(0xa409_3822, 0x299f_31d0),
                SIMD4(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1)
            ),
        ])
    func knownAnswers(counter: SIMD4<UInt32>, key: SIMD2<UInt32>, expected: SIMD4<UInt32>) {
        #expect(Philox4x32.block(counter, key: key) == expected)
    }

    @Test("Philox4x64-10 gives NumPy's stream, which counts before it generates")
    func numpy() throws {
        try RandomGolden.read { golden in
            for stream in try #require(golden["numpy"]).elements {
                func numbers(_ key: StaticString) -> [UInt64] {
                    stream[key]?.elements.compactMap { $0.string.flatMap { UInt64($0) } } ?? []
                }
                let key = SIMD2(numbers("key"))
                var counter = SIMD4(numbers("counter"))
                var words: [UInt64] = []
                while words.count < numbers("words").count {
                    var place = 0
                    repeat {
                        counter[place] &+= 1
                        place += 1
                    } while place < 4 && counter[place - 1] == 0
                    let block = Philox4x64.block(counter, key: key)
                    words += block.indices.map { block[$0] }
                }
                #expect(Array(words.prefix(numbers("words").count)) == numbers("words"))
            }
        }
    }

    @Test("a generator gives the words of its seed and stream, from any place")
    func places() throws {
        try RandomGolden.read { golden in
            let seed = try #require(golden["seed"]?.string.flatMap { UInt64($0) })
            let stream = try #require(golden["stream"]?.int).magnitude
            let expected = try #require(golden["words"]).elements.map { UInt32(truncatingIfNeeded: $0.int ?? 0) }
            let far = try #require(golden["far"]).elements.map { UInt32(truncatingIfNeeded: $0.int ?? 0) }
            var generator = PhiloxGenerator(seed: seed, stream: UInt32(stream))
            #expect((0..<12).map { _ in generator.nextWord() } == expected)
            generator.position = 3
            #expect(generator.next() == UInt64(expected[3]) | UInt64(expected[4]) << 32)
            generator.position = ((1 << 40) + 1) * 4
            #expect((0..<4).map { _ in generator.nextWord() } == far)
        }
    }

    @Test("normal numbers are those of Box and Muller, to the last bits")
    func normals() throws {
        try RandomGolden.read { golden in
            let seed = try #require(golden["seed"]?.string.flatMap { UInt64($0) })
            let wide = try #require(golden["normalsFloat64"]).elements.compactMap(\.double)
            let narrow = try #require(golden["normalsFloat32"]).elements.compactMap(\.double)
            let doubles = try Tensor<Double>.normal([8, 8], seed: seed, stream: 5).elements
            let floats = try Tensor<Float>.normal([64], seed: seed, stream: 5).elements
            for (found, expected) in zip(doubles, wide) {
                #expect(abs(found - expected) <= 4e-15 * max(1, abs(expected)))
            }
            for (found, expected) in zip(floats, narrow) { #expect(abs(Double(found) - expected) <= 2.5e-7) }
            var generator = PhiloxGenerator(seed: seed, stream: 5)
            #expect(generator.normal() == doubles[0])
            #expect(generator.normal() == doubles[2])
        }
    }
}
