import SearchIndexes
import Testing

@Suite("Shingles")
struct ShinglingTests {
    @Test(
        "n words have n - k + 1 runs of k words",
        arguments: [
            ("", 5, 0), ("…!?", 5, 0), ("one", 5, 1), ("one two three four five", 5, 1),
            ("one two three four five six", 5, 2),
            ("a-b c_d", 2, 3), ("one two three", 1, 3),
        ])
    func counts(text: String, size: Int, count: Int) { #expect(Shingling.words(size).hashes(of: text).count == count) }

    @Test(
        "shingles ignore case, punctuation, and white space",
        arguments: [
            ("The Dome turns", "the  dome, turns!"), ("ÄRGER ÜBER Öl", "ärger über öl"),
            ("ЗЕРКАЛО чисто", "зеркало чисто"),
            ("ΚΑΛΗ μέρα", "καλη μέρα"), ("naïve café", "“naïve”—café"),
        ])
    func folded(one: String, other: String) {
        #expect(Shingling.words(2).hashes(of: one) == Shingling.words(2).hashes(of: other))
        #expect(Shingling.characters(4).hashes(of: one) == Shingling.characters(4).hashes(of: other))
    }

    @Test(
        "shingles depend on words, their order, and their borders",
        arguments: [
            ("dome turns", "turns dome"), ("ab c", "a bc"), ("one", "one one"), ("dome", "domes"), ("鏡 掃除", "鏡"),
        ])
    func different(one: String, other: String) {
        #expect(Shingling.words(2).hashes(of: one) != Shingling.words(2).hashes(of: other))
    }

    @Test("scripts without spaces have shingles of letters")
    func ideographs() {
        #expect(Shingling.words(2).hashes(of: "鏡は年に二回").count == 5)
        #expect(Shingling.characters(3).hashes(of: "ab cd").count == 3)
    }

    @Test(
        "sets are compared exactly",
        arguments: [
            ([1, 2, 3], [2, 3, 4], 0.5), ([1], [1], 1), ([], [], 0), ([1], [], 0), ([5, 5, 1], [1, 5], 1),
        ] as [([UInt64], [UInt64], Double)])
    func jaccard(a: [UInt64], b: [UInt64], similarity: Double) {
        #expect(Jaccard.similarity(Jaccard.set(a), Jaccard.set(b)) == similarity)
    }

    @Test("clusters are joined transitively, whatever the order of the pairs")
    func clusters() {
        let pairs = [
            SimilarPair(4, 5, similarity: 1), SimilarPair(9, 2, similarity: 1), SimilarPair(5, 2, similarity: 1),
        ]
        let expected: [[Int64]] = [[2, 4, 5, 9]]
        #expect(SimilarityClusters(pairs).clusters == expected)
        #expect(SimilarityClusters(pairs.reversed()).clusters == expected)
        #expect(SimilarityClusters([SimilarPair]()).clusters.isEmpty)
    }
}
