import Inference
import LanguageModels
import TestFixtures
import Testing
import Tokenizers

@Suite("Processors and those of transformers")
struct ProcessorGoldenTests {
    /// One case of Goldens/processors.txt, made by processors-make.py.
    struct Golden: CustomTestStringConvertible {
        var size = 0
        var seed: UInt64 = 0
        var spread = 0.0
        var prompt: [TokenID] = []
        var answer: [TokenID] = []
        var sampling = Sampling()
        var stages: [(entropy: Double, kept: Int)] = []
        var top: [(id: TokenID, probability: Double)] = []
        var settings: [String] = []

        var testDescription: String { "\(size) tokens, \(settings.joined(separator: ", "))" }
    }

    static let goldens: [Golden] = {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let text = File.text("/\(folder)/Goldens/processors.txt") ?? ""
        var goldens: [Golden] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "case" { goldens.append(Golden()) }
            goldens[goldens.count - 1].take(words)
        }
        return goldens
    }()

    @Test("the goldens are there") func present() { #expect(Self.goldens.count == 66) }

    @Test("leave the same tokens and the same distribution after every stage", arguments: goldens)
    func stages(golden: Golden) throws {
        var logits = SeededNumbers.logits(golden.size, seed: golden.seed, spread: golden.spread)
        let chooser = try TokenChooser(vocabularySize: golden.size)
        let chain = try ProcessorChain(golden.sampling)
        let choice = try logits.withUnsafeMutableBufferPointer {
            try chooser.choose(
                $0, chain, after: TokenHistory(prompt: golden.prompt, answer: golden.answer),
                random: CounterRandom(seed: 1), alternatives: golden.size, showsStages: true)
        }
        try #require(choice.stages.count == golden.stages.count)
        for (stage, expected) in zip(choice.stages, golden.stages) {
            // Where thousands of tokens are about equally probable, sums of float32 move the border by a few.
            let slack = expected.kept > 1000 ? 4 : 0
            #expect(abs(stage.remaining - expected.kept) <= slack, "\(stage.name)")
            #expect(abs(stage.entropy - expected.entropy) <= (slack > 0 ? 4e-4 : 2e-5), "\(stage.name)")
        }
        for (id, probability) in golden.top {
            let found = choice.alternatives.first { $0.id == id }?.afterStages.last
            #expect(abs((found ?? -1) - probability) <= 2e-5 * probability + 1e-6, "token \(id)")
        }
    }
}

extension ProcessorGoldenTests.Golden {
    fileprivate mutating func take(_ words: [String]) {
        let numbers = words.dropFirst().compactMap(Double.init)
        switch words[0] {
        case "case": (size, seed, spread) = (Int(numbers[0]), UInt64(numbers[1]), numbers[2])
        case "prompt": prompt = numbers.map { TokenID($0) }
        case "answer": answer = numbers.map { TokenID($0) }
        case "kept": stages.append((numbers[0], Int(numbers[1])))
        case "top":
            top = words.dropFirst().map { word in
                let halves = word.split(separator: ":")
                return (TokenID(halves[0])!, Double(halves[1])!)
            }
        default:
            settings.append(words.joined(separator: " "))
            set(words)
        }
    }

    private mutating func set(_ words: [String]) {
        let value = Double(words[1]) ?? 0
        switch words[0] {
        case "bias":
            for word in words.dropFirst() {
                let halves = word.split(separator: "=")
                sampling.bias[Int(halves[0])!] = Double(halves[1])!
            }
        case "repetition": sampling.repetitionPenalty = value
        case "presence": sampling.presencePenalty = value
        case "frequency": sampling.frequencyPenalty = value
        case "temperature": sampling.temperature = value
        case "top-k": sampling.topK = Int(value)
        case "top-p": sampling.topP = value
        case "min-p": sampling.minP = value
        case "typical": sampling.typicalP = value
        default: Issue.record("a setting that the test does not know: \(words)")
        }
    }
}
