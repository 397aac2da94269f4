import Glibc
import Inference
import LanguageModels
import Testing
import Tokenizers

@Suite("Draws")
struct DrawTests {
    @Test("come from Philox4x32-10: the known answers of Random123")
    func philox() {
        // kat_vectors of Random123 1.14, philox 4x32 with 10 rounds.
        let zero = CounterRandom.philox((0, 0), (0, 0), key: (0, 0))
        #expect(zero == (0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
        let ones = CounterRandom.philox((.max, .max), (.max, .max), key: (.max, .max))
        #expect(ones == (0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd))
        let pi = CounterRandom.philox(
            (0x243f_6a88, 0x85a3_08d3), (0x1319_8a2e, 0x0370_7344), key: (0xa409_3822, 0x299f_31d0))
        #expect(pi == (0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
    }

    @Test("depend on seed, position and stream, and on nothing else")
    func places() {
        let random = CounterRandom(seed: 9, stream: 2)
        let forward = (0..<100).map(random.uniform)
        #expect((0..<100).reversed().map(random.uniform) == forward.reversed())
        #expect(Set(forward).count == 100)
        #expect(forward.allSatisfy { (0..<1).contains($0) })
        #expect(CounterRandom(seed: 9, stream: 3).uniform(at: 0) != forward[0])
        #expect(CounterRandom(seed: 10, stream: 2).uniform(at: 0) != forward[0])
    }

    @Test(
        "are distributed as the candidates that are left",
        arguments: [Sampling(), Sampling(temperature: 0.7), Sampling(topK: 5), Sampling(temperature: 1.5, topP: 0.8)])
    func distribution(sampling: Sampling) throws {
        var row: [Float] = SeededNumbers.logits(700, seed: 4, spread: 3)
        for index in 12..<700 { row[index] = -30 }  // a vocabulary of more than one run, few of which can come
        let chooser = try TokenChooser(vocabularySize: row.count)
        let chain = try ProcessorChain(sampling)
        let draws = 4000
        var counts = [Int](repeating: 0, count: row.count)
        var expected = [Double](repeating: 0, count: row.count)
        try row.withUnsafeMutableBufferPointer { row in
            let random = CounterRandom(seed: 11)
            var history = TokenHistory()
            for _ in 0..<draws {
                counts[Int(try chooser.choose(row, chain, after: history, random: random).id)] += 1
                history.append(0)
            }
            let told = try chooser.choose(
                row, chain, after: TokenHistory(), random: random, alternatives: 700, showsStages: true)
            for one in told.alternatives {
                expected[Int(one.id)] = Double(draws) * (one.afterStages.last ?? exp(one.logProbability))
            }
        }
        // χ² over cells of 5 and more; its mean is the number of cells, and 3 standard deviations are allowed.
        let cells = counts.indices.filter { expected[$0] >= 5 }
        let square = cells.reduce(0.0) { $0 + pow(Double(counts[$1]) - expected[$1], 2) / expected[$1] }
        #expect(square <= Double(cells.count) + 3 * (2 * Double(cells.count)).squareRoot())
        #expect(counts.indices.allSatisfy { counts[$0] == 0 || expected[$0] > 0 })
    }
}
