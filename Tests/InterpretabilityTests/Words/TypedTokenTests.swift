import Interpretability
import Models
import System
import Testing
import Tokenizers

@Suite("Typed words")
struct TypedTokenTests {
    private let path =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/sample-data/models/wanderer"

    @Test("are the tokens of a running text where there are such")
    func word() throws {
        let tokenizer = try #require(try Checkpoints.open(path).tokenizer())
        let spaced = tokenizer.encode(" moon", addingSpecialTokens: false)
        try #require(spaced.count == 1)
        #expect(try TypedToken.one("moon", in: tokenizer) == spaced[0])
        #expect(TypedToken.all("moon", in: tokenizer).contains(spaced[0]))
        #expect(throws: Problem.self) { try TypedToken.one("", in: tokenizer) }
    }
}
