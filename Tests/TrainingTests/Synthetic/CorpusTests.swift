import Glibc
import JSON
import System
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite struct CorpusTests {
    @Test("the same seed gives the same bytes") func isReproducible() throws {
        let folder = TemporaryFolder()
        let recipe = try SyntheticFixtures.make()
        var other = recipe
        other.seed = 4
        for (name, recipe) in [("a", recipe), ("b", recipe), ("c", other)] {
            _ = try SyntheticCorpus(recipe).write(to: folder.file(name))
        }
        for name in TemporaryFolder.names(in: folder.file("a")) {
            #expect(File.bytes(folder.file("a/" + name)) == File.bytes(folder.file("b/" + name)), "\(name)")
        }
        #expect(File.bytes(folder.file("a/train.tokens")) != File.bytes(folder.file("c/train.tokens")))
        #expect(
            TemporaryFolder.names(in: folder.file("a")) == [
                "card.json", "card.md", "sample.txt", "tokenizer.json", "train.tokens", "train.weights",
                "validation.tokens", "validation.weights",
            ])
    }

    @Test("rows contain whole documents") func wholeDocuments() throws {
        let folder = TemporaryFolder()
        let recipe = try SyntheticFixtures.make()
        let card = try SyntheticCorpus(recipe).write(to: folder.path)
        let tokenizer = try Tokenizer(json: try #require(File.bytes(folder.file("tokenizer.json"))))
        let bytes = try #require(File.bytes(folder.file("train.tokens")))
        let weights = try #require(File.bytes(folder.file("train.weights")))
        #expect(bytes.count == 2 * card.tokens)
        #expect(weights.count == card.tokens)
        #expect(card.tokens == 40_000 / 256 * 256)
        let ids = stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        var documents = 0
        for start in stride(from: 0, to: ids.count, by: 256) {
            for part in ids[start..<start + 256].split(separator: 0) {
                let text = tokenizer.decode(part.map { TokenID($0) }, skippingSpecialTokens: false)
                #expect(["Story: ", "Document: ", "Tools: "].contains { text.hasPrefix($0) }, "\(text)")
                #expect(text.hasSuffix("\n"))
                documents += 1
            }
            #expect(ids[start + 255] == 0)
        }
        #expect(documents > 100)
        // Digits are pieces of their own, wherever they stand.
        for text in ["12345", " 12345", "(12+7)*3 = 57"] {
            for id in tokenizer.encode(text) {
                let piece = tokenizer.decode([id], skippingSpecialTokens: false)
                #expect(!piece.contains(where: \.isNumber) || piece.count == 1)
            }
        }
    }

    @Test("held-out names and calculations are not in the training set") func heldOut() throws {
        let recipe = try SyntheticFixtures.make()
        let detector = LeakDetector(recipe.grammar, region: recipe.region)
        for document in try SyntheticFixtures.documents(400, recipe) {
            #expect(detector.leak(in: document.text) == nil, "\(document.text)")
        }
        // What is held out is found to be so: each of these documents has a name or a calculation of the region.
        for document in try SyntheticFixtures.documents(100, recipe, isHeldOut: true) {
            #expect(detector.leak(in: document.text) != nil, "\(document.text)")
        }
    }

    @Test("the evaluation shares no names or calculations with the training set") func evaluationIsDisjoint() throws {
        let recipe = try SyntheticFixtures.make()
        let set = try EvaluationSet(recipe)
        let training = try SyntheticFixtures.documents(1_000, recipe).map(\.text).joined(separator: " ")
        let words = Set(training.split { !$0.isLetter }.map(String.init))
        var names = 0
        for question in set.questions {
            for word in question.prompt.split(whereSeparator: { !$0.isLetter }) where recipe.region.contains(word) {
                guard word.first?.isUppercase == true, !["Document", "Question", "Where", "Who", "How"].contains(word)
                else { continue }
                #expect(!words.contains(String(word)), "\(word)")
                names += 1
            }
        }
        #expect(names > 100)
        for episode in set.episodes where episode.kind == .calculate {
            #expect(recipe.region.contains(episode.steps[0].value))
            #expect(!training.contains("\"\(episode.steps[0].value)\""))
        }
    }

    @Test("every answer appears in its document") func answersAppear() throws {
        let set = try EvaluationSet(SyntheticFixtures.make())
        #expect(set.stories.count == 20)
        #expect(set.questions.count == 40)
        for question in set.questions {
            #expect(question.prompt.contains(question.answer))
            #expect(question.exchangedPrompt.contains(question.exchangedAnswer))
            #expect(question.answer != question.exchangedAnswer)
            let questions = [question.prompt, question.exchangedPrompt].map { $0.split(separator: "\n").last }
            #expect(questions[0] == questions[1])
        }
        let recipe = try SyntheticFixtures.make()
        for document in try SyntheticFixtures.documents(300, recipe) where document.source == "reading" {
            let lines = document.text.split(separator: "\n")
            let read = lines.filter { $0.hasPrefix("Document: ") }.joined(separator: " ")
            for line in lines where line.hasPrefix("Answer: ") {
                #expect(read.contains(" \(line.dropFirst(8))"), "\(document.text)")
            }
        }
    }

    @Test("the data card has the correct counts") func cardCounts() throws {
        let folder = TemporaryFolder()
        let card = try SyntheticCorpus(SyntheticFixtures.make()).write(to: folder.path)
        let json = try JSONDocument(parsing: try #require(File.bytes(folder.file("card.json"))))
        json.withRoot { root in
            #expect(root["tokens"]?.int.map(Int.init) == card.tokens)
            #expect(root["seed"]?.int == 3)
            #expect(root["sources"]?.count == 3)
            #expect(root["removed"]?["held out"]?.int == 0)
        }
        #expect(card.generated >= card.documents)
        #expect(card.parts.allSatisfy { $0.documents > 20 })
        let shares = card.parts.map { Double($0.tokens) / Double(card.tokens - card.padding) }
        #expect(shares.allSatisfy { abs($0 - 1.0 / 3) < 0.05 }, "\(shares)")
    }

    @Test("early rows are short and use the sources of their phase") func phases() throws {
        let folder = TemporaryFolder()
        var recipe = try SyntheticFixtures.make()
        recipe.phases = [
            .init(until: 0.3, shares: ["stories": 1], row: 100), .init(until: 1, shares: ["reading": 1]),
        ]
        let card = try SyntheticCorpus(recipe).write(to: folder.path)
        let weights = try #require(File.bytes(folder.file("train.weights")))
        let rows = stride(from: 0, to: weights.count, by: 256).map { weights[$0..<$0 + 256] }
        let short = rows.prefix(rows.count / 8)
        #expect(short.allSatisfy { $0.dropFirst(100).allSatisfy { $0 == 0 } })
        #expect(rows.suffix(rows.count / 2).allSatisfy { $0.dropFirst(100).contains { $0 > 0 } })
        #expect(card.parts.filter { $0.tokens > 0 }.map(\.name) == ["reading", "stories"])
    }

    @Test("a canceled generation leaves no files") func cancellation() throws {
        let folder = TemporaryFolder()
        let recipe = try SyntheticFixtures.make()
        #expect(throws: Problem.self) {
            try SyntheticCorpus(recipe).write(to: folder.path, isCancelled: { true })
        }
        #expect(folder.names == ["tokenizer.json"])
    }
}

extension CorpusTests {
    /// The card of a corpus that is written and forgotten.
    static func card(_ recipe: SyntheticRecipe) throws -> DataCard {
        let folder = TemporaryFolder()
        return try SyntheticCorpus(recipe).write(to: folder.path)
    }
}
