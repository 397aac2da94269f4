import SearchIndexes
import Testing

@Suite("A lexical index")
struct LexicalIndexTests {
    @Test("documents are found by their words")
    func example() throws {
        let index = try LexicalIndex()
        try index.add(1, "The orrery turns slowly")
        try index.add(2, "Planets of the orrery")
        try index.commit()
        #expect(try index.search("orrery planets", k: 10).map(\.label) == [2, 1])
        #expect(try index.search("of the", k: 10).isEmpty)
        #expect(try index.search("comet", k: 10).isEmpty)
        #expect(try index.search("orrery", k: 0).isEmpty)
    }

    @Test("a new index is empty")
    func empty() throws {
        let index = try LexicalIndex()
        #expect(try index.search("orrery", k: 10).isEmpty)
        var store = MemorySegments()
        try index.save(to: &store)
        #expect(try LexicalIndex(from: store).search("orrery \"a b\" x* +c -d", k: 10).isEmpty)
    }

    @Test("equal scores are ordered by label, whatever the order of adding and committing")
    func ties() throws {
        let index = try LexicalIndex()
        for label: Int64 in [9, 3, 7] { try index.add(label, "same words here") }
        try index.commit()
        for label: Int64 in [1, 8, 2] { try index.add(label, "same words here") }
        try index.commit()
        #expect(try index.search("words", k: 4).map(\.label) == [1, 2, 3, 7])
    }

    /// Adds, replaces and removes at random, in an index and in its naive twin.
    private func change(
        _ index: LexicalIndex, _ naive: inout NaiveBM25, _ numbers: inout SeededNumbers, steps: Int
    ) throws {
        for _ in 0..<steps {
            let label = Int64.random(in: 0..<600, using: &numbers)
            if Int.random(in: 0..<5, using: &numbers) == 0 {
                try index.remove(label)
                naive.documents[label] = nil
            } else {
                let texts = naive.boosts.map { _ in numbers.text(words: Int.random(in: 0..<30, using: &numbers)) }
                try index.add(label, texts: texts)
                naive.documents[label] = texts.map { $0.split(separator: " ").map(String.init) }
            }
        }
    }

    private func compare(_ index: LexicalIndex, _ naive: NaiveBM25, _ numbers: inout SeededNumbers) throws {
        #expect(index.documentCount == naive.documents.count)
        for k in [1, 10, 100, 1000] {
            let terms = numbers.text(words: 6).split(separator: " ").map(String.init)
            let expected = Array(naive.scores(terms).prefix(k))
            let found = try index.search(LexicalQuery(terms: terms), k: k)
            #expect(found.count == expected.count)
            for (one, other) in zip(found, expected) { #expect(abs(one.score - other.score) < 1e-8) }
            // Where the naive sums differ by more than rounding, the order is the same.
            for (place, other) in expected.enumerated() where place + 1 < expected.count {
                let isClear =
                    (place == 0 || expected[place - 1].score - other.score > 1e-8)
                    && other.score - expected[place + 1].score > 1e-8
                if isClear { #expect(found[place].label == other.label) }
            }
        }
    }

    @Test("results match a naive twin after any additions, replacements, removals, merges, and reopenings")
    func naiveTwin() throws {
        var numbers = SeededNumbers(state: 6)
        var naive = NaiveBM25()
        naive.boosts = [2, 1]
        var index = try LexicalIndex(
            LexicalSettings(analyzer: .words, fields: [LexicalField("title", boost: 2), LexicalField("text")]))
        var store = MemorySegments()
        var most = 0
        for round in 0..<24 {
            try change(index, &naive, &numbers, steps: round == 0 ? 500 : 40)
            if round % 3 == 1 {
                try index.commit()
            } else {
                try index.save(to: &store)
                if round % 6 == 2 { index.attach(store) } else { index = try LexicalIndex(from: store) }
            }
            most = max(most, index.segmentCount)
            try compare(index, naive, &numbers)
        }
        #expect(most > 4)
        #expect(index.segmentCount < 12)
    }

    @Test("scores are equal with and without pruning, over many blocks and windows", arguments: [1, 10, 100])
    func pruning(k: Int) throws {
        var numbers = SeededNumbers(state: 7)
        let index = try LexicalIndex(LexicalSettings(analyzer: .words, memoryBudget: 1 << 20))
        for label in 0..<20_000 {
            try index.add(Int64(label), numbers.text(words: Int.random(in: 1..<25, using: &numbers), of: 5000))
        }
        try index.commit()
        #expect(index.segmentCount > 1)
        for _ in 0..<25 {
            let query = LexicalQuery(words: numbers.text(words: Int.random(in: 1..<8, using: &numbers), of: 5000))
            let all = try index.search(query, k: 20_000)
            #expect(try index.search(query, k: k) == Array(all.prefix(k)))
            let even = try index.search(query, k: k, allowed: .check { $0 % 2 == 0 })
            #expect(even == Array(all.filter { $0.label % 2 == 0 }.prefix(k)))
            let few = (0..<60).map { _ in Int64.random(in: 0..<20_000, using: &numbers) }
            let kept = Array(all.filter { few.contains($0.label) }.prefix(k))
            #expect(try index.search(query, k: k, allowed: .set(Set(few))) == kept)
            #expect(try index.search(query, k: k, allowed: .sorted(Set(few).sorted())) == kept)
        }
    }

    @Test("scores are equal with and without pruning even for lists too long to decode completely")
    func longLists() throws {
        var numbers = SeededNumbers(state: 11)
        let index = try LexicalIndex(LexicalSettings(analyzer: .words))
        for label in 0..<90_000 {
            // Rare words come in runs, so that windows between them are passed over.
            let rare = label / 6000 % 3 == 1 ? "rare\(label % 50) " : ""
            let words = numbers.text(words: 1 + label % 3, of: 50)
            try index.add(Int64(label), label % 7 == 0 ? rare + words : rare + "all of " + words)
        }
        try index.commit()
        #expect(index.segmentCount == 1)
        for line in [
            "all of", "all rare7", "all of rare7 w1x", "of rare1 rare2 w30x", "+rare3 all of", "all -of", "w1x -all",
        ] {
            let query = LexicalQuery(parsing: line)
            let every = try index.search(query, k: 90_000)
            for k in [1, 10, 1000] { #expect(try index.search(query, k: k) == Array(every.prefix(k)), "\(line) \(k)") }
            if let hit = every.dropFirst(20).first {
                #expect(abs(try index.explain(query, label: hit.label).score - hit.score) < 1e-6)
            }
        }
    }

    @Test("only changes are written")
    func writesLittle() throws {
        var numbers = SeededNumbers(state: 8)
        let index = try LexicalIndex(LexicalSettings(analyzer: .words))
        for label in 0..<2000 { try index.add(Int64(label), numbers.text(words: 40)) }
        var store = MemorySegments()
        try index.save(to: &store)
        let before = store
        try index.add(5000, "one more")
        try index.remove(7)
        try index.save(to: &store)
        for key in before.keys where key.part != "lexical" {
            #expect(try store.bytes(of: key) == before.bytes(of: key))
        }
        let added = store.keys.filter { !before.keys.contains($0) }
        let addedBytes = try added.map { try store.bytes(of: $0).count }.reduce(0, +)
        #expect(addedBytes < before.byteCount / 20)
        #expect(try LexicalIndex(from: store).documentCount == 2000)
    }

    @Test("several threads can search while the index grows")
    func threads() async throws {
        let index = try LexicalIndex(LexicalSettings(analyzer: .words))
        try index.add(0, "start here")
        try index.commit()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for label in 1..<300 {
                    try index.add(Int64(label), "start number\(label)")
                    if label % 10 == 0 { try index.commit() }
                }
                try index.commit()
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<200 {
                        let hits = try index.search("start", k: 1)
                        #expect(hits.allSatisfy { $0.score > 0 })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try index.search("start", k: 1000).count == 300)
    }

    @Test(
        "invalid settings are errors with a remedy",
        arguments: [
            LexicalSettings(fields: []), LexicalSettings(fields: [LexicalField("a"), LexicalField("a")]),
            LexicalSettings(fields: [LexicalField("a", boost: -1)]), LexicalSettings(k1: -1),
            LexicalSettings(b: 2), LexicalSettings(b: .nan),
        ])
    func refusals(settings: LexicalSettings) {
        #expect(throws: SegmentError.self) { try LexicalIndex(settings) }
    }

    @Test("negative labels and a wrong number of texts are refused")
    func wrongDocuments() throws {
        let index = try LexicalIndex()
        #expect(throws: SegmentError.self) { try index.add(-1, "text") }
        #expect(throws: SegmentError.self) { try index.add(1, "text", "more") }
    }
}
