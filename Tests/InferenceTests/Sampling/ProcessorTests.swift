import Glibc
import Inference
import LanguageModels
import Models
import Testing
import Tokenizers

@Suite("Logit processors")
struct ProcessorTests {
    @Test("show what each of them left of every candidate")
    func example() throws {
        // Probabilities 1/2, 1/4, 1/8, 1/16, 1/16.
        let row: [Float] = [0.5, 0.25, 0.125, 0.0625, 0.0625].map { log($0) }
        let choice = try choose(row, Sampling(topK: 3, topP: 0.8), alternatives: 4)
        #expect(choice.stages.map(\.name) == ["top-k 3", "top-p 0.8"])
        #expect(choice.stages.map(\.remaining) == [3, 2])
        let expected: [[Double]] = [[4 / 7, 2 / 3], [2 / 7, 1 / 3], [1 / 7, 0], [0, 0]]
        #expect(choice.alternatives.map(\.id) == [0, 1, 2, 3])
        for (alternative, after) in zip(choice.alternatives, expected) {
            #expect(zip(alternative.afterStages, after).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        #expect(abs(choice.alternatives[2].logProbability - log(0.125)) < 1e-6)
        #expect(abs(choice.entropy - 1.875 * log(2)) < 1e-6)
        #expect(abs(choice.stages[1].entropy - (log(3) - 2 / 3 * log(2))) < 1e-6)
    }

    @Test("work in the order of transformers, and those that change nothing are left out")
    func order() throws {
        let all = Sampling(
            temperature: 0.7, topK: 40, topP: 0.9, minP: 0.1, typicalP: 0.8, repetitionPenalty: 1.1,
            presencePenalty: 0.5, frequencyPenalty: 0.25, bias: [4: 1])
        #expect(
            try ProcessorChain(all).processors.map(\.name) == [
                "bias on 1 token", "repetition penalty 1.1", "presence penalty 0.5", "frequency penalty 0.25",
                "temperature 0.7", "top-k 40", "top-p 0.9", "min-p 0.1", "typical 0.8",
            ])
        let nothing = Sampling(
            temperature: 1, topK: 0, topP: 1, minP: 0, typicalP: 1, repetitionPenalty: 1, presencePenalty: 0,
            frequencyPenalty: 0)
        #expect(try ProcessorChain(nothing).processors.isEmpty)
        #expect(try ProcessorChain(Sampling(temperature: 0, topK: 5)).processors.map(\.name) == ["temperature 0"])
    }

    static let cases: [(name: String, sampling: Sampling, row: [Float], left: [TokenID])] = [
        ("equals of the k-th stay", Sampling(topK: 2), [1, 3, 2, 2, 0], [1, 2, 3]),
        ("top-k of 1 keeps equals too", Sampling(topK: 1), [1, 1, 0], [0, 1]),
        ("top-k beyond the vocabulary keeps all", Sampling(topK: 99), [1, 2, 3], [0, 1, 2]),
        ("top-p of 0 keeps the most probable", Sampling(topP: 0), [1, 3, 2], [1]),
        ("of equals top-p keeps those with lower ids", Sampling(topP: 0.5), [0, 0, 0, 0], [0, 1]),
        ("top-p keeps the token that crosses", Sampling(topP: 0.51), [0, 0, 0, 0], [0, 1, 2]),
        ("min-p of 1 keeps what equals the most probable", Sampling(minP: 1), [2, 1, 2], [0, 2]),
        ("typical prefers the middle", Sampling(typicalP: 0.2), [3, 2, 1, 0, -1, -2], [1]),
        ("temperature 0 takes the first of equals", Sampling(temperature: 0), [1, 4, 4], [1]),
        ("a tiny temperature is not infinite", Sampling(temperature: 1e-40), [60, 30, -80], [0]),
        ("a bias of -100 removes for all practical purposes", Sampling(topK: 1, bias: [1: -100]), [1, 9, 2], [2]),
        ("a bias for a token that is not there is nothing", Sampling(topK: 1, bias: [77: 5]), [1, 9, 2], [1]),
        ("a vocabulary of one", Sampling(topK: 5, topP: 0.5, typicalP: 0.5), [3], [0]),
        ("logits of -∞ never come", Sampling(temperature: 0.5, topP: 0.999), [-.infinity, 1, -.infinity], [1]),
    ]

    @Test("processors handle edge cases", arguments: cases)
    func edges(name: String, sampling: Sampling, row: [Float], left: [TokenID]) throws {
        let choice = try choose(row, sampling, alternatives: row.count)
        let possible = choice.alternatives.filter { ($0.afterStages.last ?? 1) > 0 }.map(\.id)
        #expect(possible.sorted() == left, "\(name)")
        for position in 0..<50 {
            #expect(left.contains(try choose(row, sampling, position: position).id), "\(name)")
        }
    }

    @Test("keep what a full sort keeps", arguments: [1, 2, 17, 255, 256, 257, 4000, 70_001])
    func sorted(size: Int) throws {
        var row = SeededNumbers.logits(size, seed: UInt64(size), spread: 4)
        for index in stride(from: 0, to: size, by: 7) { row[index] = row[index / 2] }  // equals
        let order = row.indices.sorted { row[$0] != row[$1] ? row[$0] > row[$1] : $0 < $1 }
        for k in [1, 3, size / 20 + 1, size / 3 + 1, size] {
            let last = row[order[min(k, size) - 1]]
            try expect(Sampling(topK: k), row, order.filter { row[$0] >= last })
        }
        let weights = order.map { exp(Double(row[$0] - row[order[0]])) }
        let total = weights.reduce(0, +)
        for p in [0.03, 0.4, 0.77, 0.97] {
            var sum = 0.0
            var count = 0
            while count < weights.count, sum < p {
                sum += weights[count] / total
                count += 1
            }
            // If the limit is within the rounding error of float32, both results are correct.
            let border = weights[..<count].reduce(0, +) / total
            guard border - p > 1e-5, p - (border - weights[count - 1] / total) > 1e-5 else { continue }
            try expect(Sampling(topP: p), row, Array(order[..<count]))
        }
    }

    private func expect(_ sampling: Sampling, _ row: [Float], _ order: [Int]) throws {
        let choice = try choose(row, sampling, alternatives: 1)
        let kept = choice.stages.first?.remaining ?? row.count
        #expect(kept == order.count, "\(sampling)")
    }

    @Test("penalize what occurred: repetition looks at the prompt, presence and frequency at the answer alone")
    func penalties() throws {
        let row: [Float] = [1, 1, 1, -1]
        let history = TokenHistory(prompt: [1], answer: [2, 2, 3])
        let cases: [(Sampling, [Double])] = [
            (Sampling(repetitionPenalty: 2), [1, 0.5, 0.5, -2]),
            (Sampling(presencePenalty: 0.5), [1, 1, 0.5, -1.5]),
            (Sampling(frequencyPenalty: 0.5), [1, 1, 0, -1.5]),
        ]
        for (sampling, expected) in cases {
            let choice = try choose(row, sampling, after: history, alternatives: 4)
            let sum = expected.reduce(0) { $0 + exp($1) }
            for alternative in choice.alternatives {
                let wanted = exp(expected[Int(alternative.id)]) / sum
                #expect(abs((alternative.afterStages.last ?? 0) - wanted) < 1e-6)
            }
        }
    }

    @Test("one of one's own takes its place among them")
    func ownProcessor() throws {
        struct Ban: LogitProcessor {
            let name = "ban"
            let id: TokenID
            func process(_ candidates: Candidates, after history: TokenHistory) { candidates.set(id, to: -.infinity) }
        }
        var row: [Float] = [5, 1, 0]
        let choice = try row.withUnsafeMutableBufferPointer {
            try TokenChooser(vocabularySize: 3).choose(
                $0, ProcessorChain([Ban(id: 0), Temperature(0)]), after: TokenHistory(), random: CounterRandom(seed: 1),
                alternatives: 1, showsStages: true)
        }
        #expect(choice.id == 1)
        #expect(choice.stages.map(\.remaining) == [2, 1])
        #expect(choice.alternatives.map(\.id) == [0, 1])  // the chosen token is always included
        #expect(choice.alternatives[0].afterStages == [0, 0])
        #expect(row == [5, 1, 0])
    }

    @Test(
        "a chain that removes every token names the processors in its error",
        arguments: [[Float](repeating: 0, count: 3), [1, 2, 3]])
    func nothingLeft(row: [Float]) throws {
        struct Nothing: LogitProcessor {
            let name = "nothing"
            func process(_ candidates: Candidates, after history: TokenHistory) {
                for id in 0..<TokenID(candidates.vocabularySize) { candidates.set(id, to: -.infinity) }
            }
        }
        var row = row
        for chain in [ProcessorChain([Nothing()]), ProcessorChain([TopK(2), Nothing(), TopP(0.5)])] {
            #expect {
                try row.withUnsafeMutableBufferPointer {
                    try TokenChooser(vocabularySize: 3).choose(
                        $0, chain, after: TokenHistory(), random: CounterRandom(seed: 1))
                }
            } throws: {
                "\($0)".contains("the logit processors removed all tokens. Relax") && "\($0)".contains("nothing")
            }
        }
    }

    static let refusals: [(Sampling, String)] = [
        (Sampling(temperature: -1), "temperature -1.0 is out of range"),
        (Sampling(temperature: .nan), "temperature nan is out of range"),
        (Sampling(topK: -3), "top-k -3.0 is out of range"),
        (Sampling(topP: 1.5), "top-p 1.5 is out of range. Use a number from 0 to 1."),
        (Sampling(minP: .nan), "min-p nan is out of range"),
        (Sampling(typicalP: -0.1), "typical-p -0.1 is out of range"),
        (Sampling(repetitionPenalty: 0), "repetition penalty 0.0 is out of range"),
        (Sampling(presencePenalty: .infinity), "presence penalty inf is out of range"),
        (Sampling(frequencyPenalty: .nan), "frequency penalty nan is out of range"),
        (Sampling(bias: [-1: 2]), "bias for token -1 is out of range"),
        (Sampling(bias: [1: .infinity]), "bias inf is out of range"),
    ]

    @Test("refuse settings without a meaning", arguments: refusals)
    func refusal(sampling: Sampling, words: String) {
        #expect {
            try ProcessorChain(sampling)
        } throws: {
            "\($0)".hasPrefix("sampling: ") && "\($0)".contains(words)
        }
    }

    @Test("logits that are not numbers are an error", arguments: [Float.nan, .infinity])
    func broken(number: Float) {
        #expect {
            try choose([0, number, 1], Sampling(topK: 2))
        } throws: {
            "\($0)".contains("the model's logits are not finite")
        }
    }

    private func choose(
        _ row: [Float], _ sampling: Sampling, after history: TokenHistory? = nil, position: Int = 0,
        alternatives: Int = 0
    ) throws -> TokenChooser.Choice {
        var row = row
        let history = history ?? TokenHistory(prompt: Array(repeating: 0, count: position))
        return try row.withUnsafeMutableBufferPointer {
            try TokenChooser(vocabularySize: $0.count).choose(
                $0, ProcessorChain(sampling), after: history, random: CounterRandom(seed: 5),
                alternatives: alternatives, showsStages: alternatives > 0)
        }
    }
}
