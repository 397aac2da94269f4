import Console
import Testing

@Suite struct `Fuzzy matching` {
    private func marked(_ query: String, _ text: String) -> String? {
        guard let match = FuzzyMatcher(query).match(text) else { return nil }
        return text.utf8.enumerated().map { index, byte in
            let letter = String(decoding: [byte], as: UTF8.self)
            return match.positions.contains(index) ? "(\(letter))" : letter
        }.joined()
    }

    @Test(
        "consecutive letters and word starts take precedence",
        arguments: [
            ("nerr", "next-error", "(n)ext-(e)(r)(r)or"),
            ("op", "open the op", "(o)(p)en the op"),
            ("tv", "TextView", "(T)ext(V)iew"),
            ("con", "a cat on a console", "a cat on a (c)(o)(n)sole"),
            ("ab cd", "cd and ab", "(c)(d) and (a)(b)"),
            ("f12", "file12", "(f)ile(1)(2)"),
        ])
    func placements(query: String, text: String, expected: String) {
        #expect(marked(query, text) == expected)
    }

    @Test func `a string matches if it contains the letters of each word in order`() {
        #expect(marked("xyz", "zyx") == nil)
        #expect(marked("ab zz", "ab") == nil)
        #expect(marked("", "anything") == "anything")
        #expect(marked("Ab", "ab") == nil)
        #expect(marked("Ab", "cAb") == "c(A)(b)")
        #expect(marked("a", "") == nil)
    }

    @Test func `better matches rank first, then shorter strings`() {
        let texts = ["rename the run", "to the next error", "previous error", "terror", "error"]
        #expect(
            FuzzyMatcher("err").rank(texts).map { texts[$0] }.prefix(3) == [
                "error", "previous error", "to the next error",
            ])
        #expect(FuzzyMatcher("").rank(texts) == [0, 1, 2, 3, 4])
    }

    @Test(arguments: 0..<150)
    func `the score equals the score of the best placement`(seed: Int) {
        var generator = SeededGenerator(seed)
        let letters = Array("abAB-_ 1")
        func random(_ count: Int, _ from: [Character]) -> String {
            String((0..<count).map { _ in from.randomElement(using: &generator) ?? "a" })
        }
        let text = random(Int.random(in: 1...9, using: &generator), letters)
        let query = random(Int.random(in: 1...4, using: &generator), ["a", "b", "1"])
        let match = FuzzyMatcher(query).match(text)
        #expect(match?.score == NaiveFuzzy(query, text).best)
        #expect(FuzzyMatcher(query).score(text) == match?.score)
        if let match { #expect(NaiveFuzzy(query, text).score(match.positions) == match.score) }
    }

    @Test func `ranking 100,000 strings takes less than 6 s without optimization`() {
        let texts = (0..<100_000).map { "Sources/Module\($0 % 97)/Parser+Aspect\($0).swift" }
        let matcher = FuzzyMatcher("srcpars99")
        var found: [Int] = []
        let time = ContinuousClock().measure { found = matcher.rank(texts) }
        #expect(!found.isEmpty)
        // An optimized build takes about 20 ms, but tests also run without optimization.
        #expect(time < .seconds(6))
    }
}

/// A reference implementation that tries every placement of a one-word query.
private struct NaiveFuzzy {
    let query: [UInt8]
    let text: [UInt8]

    init(_ query: String, _ text: String) {
        self.query = Array(query.utf8)
        self.text = Array(text.utf8)
    }

    var best: Int? { placements(from: 0, at: 0).compactMap { score($0) }.max() }

    private func placements(from letter: Int, at start: Int) -> [[Int]] {
        guard letter < query.count else { return [[]] }
        guard start < text.count else { return [] }
        return (start..<text.count).filter { lower(text[$0]) == query[letter] }.flatMap { place in
            placements(from: letter + 1, at: place + 1).map { [place] + $0 }
        }
    }

    func score(_ places: [Int]) -> Int? {
        var total = 0
        for (index, place) in places.enumerated() {
            let gap = index > 0 ? place - places[index - 1] - 1 : nil
            total += 16 + (gap == 0 ? max(12, bonus(place)) : bonus(place))
            if let gap, gap > 0 { total -= 3 + (gap - 1) }
        }
        return total
    }

    private func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    private func isWord(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...122).contains(lower(byte)) }

    private func bonus(_ place: Int) -> Int {
        if place == 0 { return 14 }
        let (before, byte) = (text[place - 1], text[place])
        if !isWord(before) { return isWord(byte) ? 10 : 0 }
        if (65...90).contains(byte), !(65...90).contains(before) { return 8 }
        return (48...57).contains(byte) && !(48...57).contains(before) ? 8 : 0
    }
}
