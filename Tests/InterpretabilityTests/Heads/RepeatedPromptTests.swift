import Interpretability
import System
import Testing
import Tokenizers

@Suite("Repeated prompts")
struct RepeatedPromptTests {
    @Test("are a beginning, random tokens, and the same again, from the seed alone")
    func random() throws {
        let prompt = try RepeatedPrompt.random(
            period: 20, from: 10..<15, excluding: [11, 13], beginning: 1, seed: 7)
        #expect(prompt.tokens.count == 41 && prompt.start == 1 && prompt.tokens[0] == 1)
        #expect(Array(prompt.tokens[1..<21]) == Array(prompt.tokens[21...]))
        #expect(Set(prompt.tokens.dropFirst()) == [10, 12, 14])
        #expect(
            try prompt
                == RepeatedPrompt.random(period: 20, from: 10..<15, excluding: [11, 13], beginning: 1, seed: 7))
        #expect(
            try prompt
                != RepeatedPrompt.random(period: 20, from: 10..<15, excluding: [11, 13], beginning: 1, seed: 8))
    }

    @Test("refuse what is not repeated, and ranges without tokens")
    func refusals() {
        let error = #expect(throws: Problem.self) {
            try RepeatedPrompt(tokens: [0, 1, 2, 1, 3], start: 1, period: 2)
        }
        #expect(error?.what == "the 2 tokens after the first 1 do not occur exactly twice")
        #expect(throws: Problem.self) {
            try RepeatedPrompt.random(period: 4, from: 3..<4, excluding: [3], beginning: nil, seed: 0)
        }
    }
}
