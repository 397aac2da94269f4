import Retrieval
import SearchIndexes
import Testing

@Suite("Duplicates")
struct DuplicateReportTests {
    /// Returns a text of seeded words, and the same with every twentieth word changed.
    static func text(_ seed: UInt64, words: Int = 120) -> [String] {
        var random = SplitRandom(state: seed)
        return (0..<words).map { _ in "w\(random.next() % 5_000)" }
    }

    static func edited(_ words: [String]) -> String {
        words.enumerated().map { $0 % 40 == 20 ? "changed" : $1 }.joined(separator: " ")
    }

    @Test("exact and near duplicates are found, represented by the longest text")
    func clusters() {
        let one = Self.text(1)
        let other = Self.text(2)
        var finder = DuplicateFinder()
        finder.add([(10, one.joined(separator: " ")), (11, other.joined(separator: " ")), (12, Self.edited(one))])
        finder.add([(13, one.joined(separator: " ")), (14, "…"), (15, other.joined(separator: " ") + " and more")])
        let report = finder.report()
        #expect(report.count == 6 && report.withoutWords == [14])
        #expect(report.clusters.map(\.representative) == [12, 15])
        #expect(report.clusters.map { $0.members.map(\.label) } == [[10, 13], [11]])
        #expect(report.redundant == [10, 11, 13])
        #expect(report.exactCount == 0 && report.nearCount == 3)
        #expect(report.clusters[0].members.allSatisfy { $0.similarity > 0.7 && !$0.isVerified })
    }

    @Test("duplicates with equal bytes are exact, whatever other texts are near")
    func exact() {
        var finder = DuplicateFinder()
        let text = Self.text(3).joined(separator: " ")
        finder.add([(1, text), (2, text), (3, text + "."), (4, ""), (5, "")])
        let report = finder.report()
        #expect(report.clusters.count == 2)
        #expect(report.clusters[0].representative == 3)
        // The period is not a word, so the shingles are equal but the bytes differ.
        #expect(report.clusters[0].members.map(\.isExact) == [false, false])
        #expect(report.clusters[0].members.map(\.similarity) == [1, 1])
        #expect(report.clusters[1].members == [.init(label: 5, isExact: true, similarity: 1, isVerified: true)])
    }

    @Test("duplicates are verified with the texts if they are available")
    func verified() {
        let one = Self.text(4)
        let texts: [Int64: String] = [1: one.joined(separator: " "), 2: Self.edited(one)]
        var finder = DuplicateFinder(MinHashSettings(threshold: 0.5))
        finder.add(texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let report = finder.report { texts[$0] }
        // Each of the three changed words is in five of the 116 shingles.
        let member = report.clusters.first?.members.first
        #expect(member?.isVerified == true)
        #expect(abs((member?.similarity ?? 0) - 101.0 / 131) < 1e-12)
        // With texts that are not near at all, nothing is left.
        #expect(finder.report { Self.text(UInt64($0) + 50).joined(separator: " ") }.clusters.isEmpty)
    }

    @Test("duplicates do not depend on how texts are batched")
    func batches() {
        let texts = (0..<60).map { (label: Int64($0), text: Self.edited(Self.text(UInt64($0 % 20)))) }
        var whole = DuplicateFinder()
        whole.add(texts)
        var single = DuplicateFinder()
        for text in texts { single.add([text]) }
        #expect(whole.report().clusters == single.report().clusters)
        #expect(whole.report().clusters.count == 20 && whole.report().redundant.count == 40)
    }
}
