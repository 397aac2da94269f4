import JSON
import Retrieval
import System
import TestFixtures
import Testing

/// Scores that transformers gives with the tiny BERT of Goldens/cross_encoder_golden.py.
private struct ScoredPairs {
    var passages: [String] = []
    var cases: [(query: String, scores: [Double])] = []

    static let folder =
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Goldens/cross-encoder"

    init() throws {
        let text = try #require(File.text(Self.folder + "/scores.json"))
        let document = try JSONDocument(parsing: text)
        document.withRoot { root in
            root["passages"]?.elements.forEach { passages.append($0.string ?? "") }
            root["cases"]?.elements.forEach { one in
                let scores = one["scores"]?.elements.map { $0.double ?? .nan } ?? []
                cases.append((one["query"]?.string ?? "", scores))
            }
        }
    }
}

@Suite("A cross-encoder of the runtime")
struct CrossEncoderTests {
    @Test("scores match transformers for word pieces, accents, empty texts, and long passages")
    func golden() throws {
        let golden = try ScoredPairs()
        try #require(golden.cases.count == 4 && golden.passages.count == 8)
        let encoder = try CrossEncoder(path: ScoredPairs.folder)
        for one in golden.cases {
            let scores = try encoder.scores(one.query, golden.passages) { false }
            try #require(scores.count == one.scores.count)
            for (ours, theirs) in zip(scores, one.scores) {
                #expect(abs(ours - theirs) < 1e-4, "\(one.query)")
            }
            let order = scores.indices.sorted { scores[$0] > scores[$1] }
            #expect(order == one.scores.indices.sorted { one.scores[$0] > one.scores[$1] }, "\(one.query)")
        }
    }

    @Test("the score of a passage does not depend on the other passages")
    func alone() throws {
        let golden = try ScoredPairs()
        let encoder = try CrossEncoder(path: ScoredPairs.folder)
        let query = golden.cases[0].query
        let together = try encoder.scores(query, golden.passages) { false }
        for (passage, score) in zip(golden.passages, together) {
            let alone = try encoder.scores(query, [passage]) { false }
            #expect(abs(alone[0] - score) < 1e-5)
        }
        #expect(try encoder.scores(query, []) { false } == [])
    }

    @Test("other models and cancellation are errors")
    func refusals() throws {
        let folder = TemporaryFolder()
        #expect(throws: Problem.self) { try CrossEncoder(path: folder.path) }
        #expect(throws: Problem.self) { try CrossEncoder(path: folder.file("nothing")) }
        let encoder = try CrossEncoder(path: ScoredPairs.folder)
        do throws(Problem) {
            _ = try encoder.scores("a", ["b"]) { true }
            Issue.record("it went on")
        } catch {
            #expect(error.kind == .cancelled)
        }
    }
}
