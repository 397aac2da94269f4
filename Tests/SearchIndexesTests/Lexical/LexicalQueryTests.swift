import SearchIndexes
import Testing

@Suite("A lexical query")
struct LexicalQueryTests {
    private func index() throws -> LexicalIndex {
        let index = try LexicalIndex(LexicalSettings(fields: [LexicalField("title"), LexicalField("text")]))
        try index.add(1, "Gears", "the moon turns around the earth")
        try index.add(2, "Moon", "the earth turns, and a moon follows")
        try index.add(3, "Sun", "moons of jupiter were seen in a telescope")
        try index.add(4, "Telescopes", "a mirror, a lens and a moon of the earth")
        try index.commit()
        return index
    }

    @Test(
        "operators have their meaning",
        arguments: [
            ("moon", [1, 2, 3, 4]), ("title:moon", [2]), ("+moon -turns", [3, 4]), ("\"earth turns\"", [2]),
            ("\"turns earth\"", []), ("\"moon of the earth\"", [4]), ("\"moon of of earth\"", [4]),
            ("+jupiter moon", [3]), ("+comet moon", []), ("tele*", [3, 4]), ("title:tele*", [4]),
            ("moon -title:moon -\"mirror a lens\"", [1, 3]), ("-moon", []), ("+the moon", [1, 2, 3, 4]),
            ("+\"earth turns\" lens", [2]), ("telescop* -lens", [3]), ("jupiter-mirror", [3, 4]),
            ("lens -turns-around", [4]), ("nofield:lens", [4]), ("\"unclosed earth turns", []), ("+", []),
            ("\"\"", []), ("*", []), ("- +- \"", []),
        ])
    func signs(line: String, labels: [Int]) throws {
        #expect(try index().search(line, k: 10).map { Int($0.label) }.sorted() == labels)
    }

    @Test("unfinished words are found while they are typed")
    func typing() throws {
        let index = try index()
        for line in ["j", "ju", "jupi", "jupiter", "seen jup", "+jup"] {
            #expect(try index.search(line, k: 1, typing: true).map(\.label) == [3], "\(line)")
        }
        #expect(try index.search("turning", k: 10, typing: true).count == 2)
        #expect(try index.search("jup ", k: 10, typing: true).isEmpty)
    }

    @Test("a query can be a plain bag of words")
    func plain() throws {
        let index = try index()
        #expect(try index.search(LexicalQuery(words: "-moon +comet \"jupiter"), k: 10).count == 4)
    }

    @Test("any input can be parsed")
    func fuzz() throws {
        let index = try index()
        var numbers = SeededNumbers(state: 3)
        let parts = [
            "+", "-", "\"", "*", ":", " ", "title:", "text:", "moon", "turns", "é", "東京", "\t", "\u{0}", "(", "'",
            "\u{301}",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<12, using: &numbers)
            let line = (0..<count).map { _ in parts.randomElement(using: &numbers)! }.joined()
            for typing in [false, true] {
                let hits = try index.search(line, k: 3, typing: typing)
                #expect(hits.count <= 3 && hits.allSatisfy { $0.score > 0 })
            }
        }
        let long = String(repeating: "+moon \"earth turns\" -x y* ", count: 200)
        #expect(try index.search(long, k: 3).count <= 3)
    }
}
