import SearchIndexes
import Testing

@Suite("An explanation of a lexical search")
struct LexicalExplanationTests {
    private let texts = ["Planets of the orrery", "The orrery turns, and planets turn with the orrery"]

    private func index() throws -> LexicalIndex {
        let index = try LexicalIndex()
        for (label, text) in texts.enumerated() { try index.add(Int64(label), text) }
        try index.add(2, "A clock")
        try index.commit()
        return index
    }

    @Test("contributions sum to the score, with the positions of each term")
    func sums() throws {
        let index = try index()
        let explanation = try index.explain(
            LexicalQuery(words: "Orreries? The orrery turning planet"), label: 1, texts: [texts[1]])
        let hit = try #require(try index.search("Orreries? The orrery turning planet", k: 3).first { $0.label == 1 })
        #expect(explanation.isMatch && explanation.refusal == nil)
        #expect(abs(explanation.score - hit.score) < 1e-6)
        #expect(explanation.contributions.map(\.term) == ["orreri", "turn", "planet"])
        let orrery = try #require(explanation.contributions.first)
        #expect(orrery.frequency == 2 && orrery.documents == 2 && orrery.count == 2 && orrery.length == 5)
        let utf8 = Array(texts[1].utf8)
        #expect(orrery.bytes.map { String(decoding: utf8[$0], as: UTF8.self) } == ["orrery", "orrery"])
        #expect(explanation.analysis.first { $0.word == "the" }?.outcome == .lost(.stopWord))
        #expect(explanation.rank == 1 && explanation.matches == 2)
    }

    @Test("contributions sum to the score for phrases, prefixes, and fields, within 1e-6")
    func sumsOfEverything() throws {
        var numbers = SeededNumbers(state: 4)
        let index = try LexicalIndex(
            LexicalSettings(analyzer: .words, fields: [LexicalField("title", boost: 1.7), LexicalField("text")]))
        for label in 0..<300 {
            try index.add(Int64(label), numbers.text(words: 4, of: 60), numbers.text(words: 30, of: 60))
            if label % 90 == 0 { try index.commit() }
        }
        try index.commit()
        for line in [
            "w1x w2x w1x title:w3x", "\"w1x w2x\" w4x", "w1* w5x", "+w2x -w7x w1x", "\"w1x w1x w2x\" title:w1*",
        ] {
            let query = LexicalQuery(parsing: line, fields: ["title", "text"])
            let hits = try index.search(query, k: 300)
            #expect(hits.count > 5)
            for (place, hit) in hits.enumerated() where place % 7 == 0 {
                let explanation = try index.explain(query, label: hit.label, k: 5)
                #expect(abs(explanation.score - hit.score) < 1e-6)
                #expect(explanation.rank == place + 1 && explanation.matches == hits.count)
                #expect(explanation.scoreAtRank == hits[4].score)
                #expect(explanation.contributions.allSatisfy { $0.positions.count == $0.frequency })
            }
        }
    }

    @Test(
        "an explanation states why a document cannot be found",
        arguments: [
            ("clock", 0, "The document contains none of the query's terms."),
            ("orrery -planets", 0, "The document contains planet, which the query excludes."),
            ("planets +clock", 1, "The document lacks clock, which the query requires."),
            ("the of", 0, "Analysis removed every word of the query."), ("", 0, "The query has no words."),
            ("orrery", 77, "Document 77 is not in the index."),
        ])
    func refusals(line: String, label: Int, refusal: String) throws {
        let explanation = try index().explain(LexicalQuery(parsing: line), label: Int64(label))
        #expect(!explanation.isMatch && explanation.rank == nil)
        #expect(explanation.refusal == refusal)
    }

    @Test("an explanation names the filter and the missing terms")
    func missing() throws {
        let index = try index()
        let filtered = try index.explain(LexicalQuery(words: "orrery"), label: 0, allowed: .set([1]))
        #expect(filtered.refusal == "The filter excludes the document." && filtered.score > 0)
        let lacking = try index.explain(LexicalQuery(words: "planets clocks comet"), label: 0)
        #expect(lacking.missing.map(\.term) == ["clock", "comet"])
        #expect(lacking.missing.map(\.word) == ["clocks", "comet"])
        #expect(lacking.missing.map(\.documents) == [1, 0])
    }
}
