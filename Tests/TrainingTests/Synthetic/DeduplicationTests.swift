import Testing
import Training

@Suite struct DeduplicationTests {
    /// Twenty sentences of the grammar, one text.
    private static func text(_ start: Int) throws -> String {
        var generator = SyntheticGenerator(try SyntheticFixtures.make())
        let source = generator.recipe.sources.firstIndex { $0.name == "stories" } ?? 0
        return try (start..<start + 20).map { try generator.document(source: source, number: $0).text }.joined()
    }

    @Test("planted duplicates are found") func plantedDuplicates() throws {
        var deduplication = Deduplication(threshold: 0.8)
        for index in 0..<30 { #expect(deduplication.verdict(on: try Self.text(index * 20)) == nil) }
        for index in [0, 7, 29] {
            let text = try Self.text(index * 20)
            #expect(deduplication.verdict(on: text) == .exactDuplicate)
            // One word in the midst of some two hundred is another.
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            let changed = (words[..<100] + ["comet"] + words[101...]).joined(separator: " ")
            #expect(deduplication.verdict(on: changed) == .nearDuplicate)
        }
    }

    @Test("different texts of the same grammar are kept") func differentTexts() throws {
        var deduplication = Deduplication(threshold: 0.8)
        let kept = try (0..<100).count { deduplication.verdict(on: try Self.text($0 * 20)) == nil }
        #expect(kept == 100)
    }

    @Test("the search for near duplicates can be turned off") func exactOnly() throws {
        var deduplication = Deduplication(threshold: 1)
        let text = try Self.text(0)
        #expect(deduplication.verdict(on: text) == nil)
        #expect(deduplication.verdict(on: text + " more") == nil)
        #expect(deduplication.verdict(on: text) == .exactDuplicate)
    }

    @Test("short texts and empty ones are compared as well", arguments: ["", "one", "one two three"])
    func shortTexts(text: String) {
        var deduplication = Deduplication(threshold: 0.8)
        #expect(deduplication.verdict(on: text) == nil)
        #expect(deduplication.verdict(on: text) == .exactDuplicate)
    }
}

@Suite struct QualityFilterTests {
    private static var filters: QualityFilters {
        var filters = QualityFilters()
        filters.shortest = 10
        filters.longest = 200
        filters.repetition = 0.2
        return filters
    }

    @Test(
        "what a document must not be",
        arguments: [
            ("A quiet town lay on the hill, and the stars stood over it.", nil),
            ("Too short", .tooShort),
            (String(repeating: "All of the words differ here. ", count: 8), .tooLong),
            ("A caf\u{E9} is not of the plain alphabet.", .foreignCharacters),
            ("A tab\tstands here, where none belongs.", .foreignCharacters),
            ("so it was and so it was and so it was and so it was and so it was and so it was", .repetitive),
        ] as [(String, QualityFilters.Verdict?)])
    func verdict(text: String, verdict: QualityFilters.Verdict?) { #expect(Self.filters.verdict(on: text) == verdict) }

    @Test("a template that is too common is rejected") func commonTemplate() throws {
        var recipe = try SyntheticFixtures.make()
        recipe.filters.templateShare = 0.02
        recipe.tokens = 60_000
        recipe.evaluation.validation = 1_000
        let card = try CorpusTests.card(recipe)
        #expect(card.removed[.commonTemplate] ?? 0 > 0)
    }

    @Test("held-out names and calculations are found in any text") func heldOutText() throws {
        let grammar = try Grammar(parsing: SyntheticFixtures.grammar, file: "g")
        let region = HeldOutRegion(oneIn: 8)
        let detector = LeakDetector(grammar, region: region)
        let names = (0..<400).map { "Zor\(["a", "e", "i", "o"][$0 % 4])\(String(repeating: "n", count: $0 % 20 + 1))x" }
        let sums = (10..<60).map { "\($0) + 7" } + (10..<60).map { "(\($0) + 7) * 3" }
        for text in Set(names) { #expect((detector.leak(in: "So \(text) came.") == text) == region.contains(text)) }
        for text in sums {
            let leak = detector.leak(in: "I count \(text) stars.")
            let inner = text.contains("(") && region.contains(String(text.dropFirst().prefix { $0 != ")" }))
            if region.contains(text) {
                #expect(leak != nil)
            } else if !inner {
                #expect(leak == nil, "\(text) \(leak ?? "")")
            }
        }
        #expect(!HeldOutRegion(oneIn: 0).contains("anything"))
    }

    /// The share of the region is what it says.
    @Test("one in N texts is held out", arguments: [2, 8, 32] as [UInt64]) func share(oneIn: UInt64) {
        let region = HeldOutRegion(oneIn: oneIn)
        let share = Double((0..<20_000).count { region.contains("name\($0)") }) / 20_000
        #expect(abs(share * Double(oneIn) - 1) < 0.15)
    }
}
