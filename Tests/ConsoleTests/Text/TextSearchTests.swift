import Console
import Testing

@Suite("Text search")
struct TextSearchTests {
    private func matches(_ query: String, in texts: [String], budget: Int = 7) -> [TextMatch] {
        var search = TextSearch(query)
        let sections = texts.map { TextSection($0) }
        while !search.isComplete { search.advance(over: sections, budget: budget) }
        return search.matches
    }

    @Test("search ignores case unless the query has an uppercase letter")
    func caseSensitivity() {
        let text = "Token token TOKEN"
        #expect(matches("token", in: [text]).map(\.range) == [0..<5, 6..<11, 12..<17])
        #expect(matches("Token", in: [text]).map(\.range) == [0..<5])
        #expect(matches("élan", in: ["ÉLAN élan Elan"]).map(\.range) == [0..<5, 6..<11])
        #expect(matches("12", in: ["1212"]).map(\.range) == [0..<2, 2..<4])
    }

    @Test("search covers every section and finds matches that span two steps")
    func sections() {
        let found = matches("needle", in: ["hay needle", "", "needleneedle"], budget: 1)
        #expect(
            found == [
                TextMatch(section: 0, range: 4..<10), TextMatch(section: 2, range: 0..<6),
                TextMatch(section: 2, range: 6..<12),
            ])
        #expect(matches("", in: ["abc"]).isEmpty)
        #expect(matches("longer than the text", in: ["abc"]).isEmpty)
    }

    @Test("search agrees with a naive implementation", arguments: 0..<30)
    func naiveSearch(seed: Int) {
        var generator = SeededGenerator(seed)
        let letters = ["a", "A", "b", "é", "É", " ", "行", "\n"]
        func random(_ count: Int) -> String {
            (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
        }
        let texts = (0..<3).map { _ in random(200) }
        let query = random(Int.random(in: 1..<4, using: &generator))
        let exact = query.contains { $0.isUppercase }
        var expected: [TextMatch] = []
        for (section, text) in texts.enumerated() {
            let bytes = Array((exact ? text : text.lowercased()).utf8)
            let needle = Array((exact ? query : query.lowercased()).utf8)
            var place = 0
            while place + needle.count <= bytes.count {
                if Array(bytes[place..<place + needle.count]) == needle {
                    expected.append(TextMatch(section: section, range: place..<place + needle.count))
                    place += needle.count
                } else {
                    place += 1
                }
            }
        }
        #expect(matches(query, in: texts, budget: Int.random(in: 1..<50, using: &generator)) == expected)
    }

    @Test("typing selects the first match below, and n and N wrap around")
    func selection() {
        var view = TextView((1...60).map { $0 % 20 == 0 ? "an error here" : "line \($0)" }.joined(separator: "\n"))
        view.layout(Size(30, 6))
        view.scroll(by: 25)
        let anchor = view.top
        view.find("err", from: anchor)
        #expect(view.searchStatus == "2 of 3")
        #expect(screen(view).contains("an error here"))
        view.findNext()
        #expect(view.searchStatus == "3 of 3")
        view.findNext()
        #expect(view.searchStatus == "1 of 3")
        #expect(screen(view).contains("line 19"))
        view.findPrevious()
        #expect(view.searchStatus == "3 of 3")
        view.find("nothing like it", from: anchor)
        #expect(view.searchStatus == "no match")
        view.find("")
        #expect(view.searchStatus == nil)
    }

    @Test("matches are highlighted, and the selected match differs")
    func highlights() {
        var view = TextView("aXbXc")
        view.layout(Size(5, 1))
        view.find("X")
        var surface = Surface(Size(5, 1))
        view.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.styleDump == """
                . a . b
                a = bold reverse
                b = bold underline
                """)
    }

    @Test("a long text is searched in steps, and the view jumps to the first match once found")
    func steps() {
        let text = String(repeating: "nothing to see here\n", count: 200_000) + "the needle\n"
        var view = TextView(text)
        view.layout(Size(40, 5))
        view.find("needle")
        #expect(view.searchStatus == "searching…")
        #expect(view.isAtTop)
        var steps = 0
        while view.needsAdvance {
            view.advance()
            steps += 1
        }
        #expect(steps > 2)
        #expect(view.searchStatus == "1 of 1")
        #expect(screen(view).contains("the needle"))
    }

    @Test("search stops at the cap and shows a plus sign")
    func cap() {
        var view = TextView(String(repeating: "a", count: TextSearch.cap + 10))
        view.find("a")
        while view.needsAdvance { view.advance() }
        #expect(view.searchStatus == "1 of 200000+")
    }
}
