import Interpretability
import Models
import System
import Testing
import Tokenizers

@Suite("Scores of heads, piece by piece")
struct PiecewiseHeadScoresTests {
    private let path =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/sample-data/models/wanderer"

    @Test("are those of the whole pattern, whatever the pieces")
    func pieces() throws {
        let model = try RuntimeModel(try Checkpoints.open(path))
        let prompt = try RepeatedPrompt.random(
            period: 9, from: 5..<TokenID(model.vocabularySize), beginning: 0, seed: 3)
        let patterns = Set((0..<model.layerCount).map { Hook.pattern(layer: $0) })
        let whole = try model.run(prompt.tokens, [], keeping: .only(patterns))
        let definitions = HeadScoreDefinition.allCases
        let expected = try whole.headScores(definitions, layerCount: model.layerCount, prompt: prompt)
        for piece in [1, 4, 64] {
            let found = try model.headScores(definitions, tokens: prompt.tokens, prompt: prompt, piece: piece)
            for definition in definitions {
                let (a, b) = (
                    found[definition]?.joined() ?? [[]].joined(), expected[definition]?.joined() ?? [[]].joined()
                )
                #expect(a.count == model.layerCount * model.headCount)
                #expect(zip(a, b).allSatisfy { abs($0 - $1) < 2e-3 }, "\(definition.name), pieces of \(piece)")
            }
        }
    }

    @Test("of a text that is longer than the context are refused")
    func long() throws {
        let model = try RuntimeModel(try Checkpoints.open(path))
        let tokens = [TokenID](repeating: 7, count: model.configuration.contextLength + 1)
        #expect(throws: Problem.self) { try model.headScores([], tokens: tokens) }
        #expect(throws: Problem.self) { try model.headScores([], tokens: []) }
    }
}
