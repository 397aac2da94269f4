import Retrieval
import Testing

@Suite("Fusing rankings")
struct RankFusionTests {
    private let words = RankedList(
        stage: "lexical", hits: [.init(chunk: 7, score: 9), .init(chunk: 2, score: 7), .init(chunk: 5, score: 5)])
    private let vectors = RankedList(
        stage: "dense", hits: [.init(chunk: 5, score: 0.8), .init(chunk: 7, score: 0.6)], weight: 2)

    @Test("reciprocal rank fusion sums w / (k + rank)")
    func reciprocalRank() {
        let fused = RankFusion(method: .reciprocalRank, k: 60).fuse([words, vectors])
        #expect(fused.map(\.chunk) == [5, 7, 2])
        #expect(abs(fused[0].score - (1.0 / 63 + 2.0 / 61)) < 1e-12)
        #expect(abs(fused[1].score - (1.0 / 61 + 2.0 / 62)) < 1e-12)
    }

    @Test("weighted fusion sums raw scores and subtracts distances")
    func weighted() {
        let fused = RankFusion(method: .weighted).fuse([words, vectors])
        #expect(fused.map(\.score) == [10.2, 7, 6.6])
        let far = RankedList(
            stage: "dense", hits: [.init(chunk: 1, score: 0.1), .init(chunk: 2, score: 3)], higherIsBetter: false)
        #expect(RankFusion(method: .weighted).fuse([far]).map(\.chunk) == [1, 2])
    }

    @Test("min-max fusion scales every ranking to 0...1 first")
    func minMax() {
        let fused = RankFusion(method: .minMax).fuse([words, vectors])
        #expect(fused.map(\.chunk) == [5, 7, 2])
        #expect(fused.map(\.score) == [2, 1, 0.5])
        let one = RankedList(stage: "lexical", hits: [.init(chunk: 3, score: 4)])
        #expect(RankFusion(method: .minMax).fuse([one]) == [ChunkHit(chunk: 3, score: 1)])
    }

    @Test("ties are broken by the smaller id")
    func ties() {
        let one = RankedList(stage: "a", hits: [.init(chunk: 9, score: 1)])
        let other = RankedList(stage: "b", hits: [.init(chunk: 4, score: 1)])
        #expect(RankFusion(method: .reciprocalRank).fuse([one, other]).map(\.chunk) == [4, 9])
    }

    @Test("a depth limits how many entries of every ranking count")
    func depth() {
        let fusion = RankFusion(method: .reciprocalRank, depth: 1)
        #expect(fusion.fuse([words, vectors]).map(\.chunk) == [5, 7])
        #expect(fusion.parts(of: 2, in: [words, vectors]).isEmpty)
    }

    @Test("parts sum to the score", arguments: 0..<20)
    func parts(seed: Int) {
        var random = SplitMix(UInt64(seed))
        let lists = (0..<3).map { number in
            let hits = (0..<40).map { _ in
                ChunkHit(chunk: Int64(random.below(60)), score: Double(random.below(1_000)) / 100)
            }
            var known: Set<Int64> = []
            let once = hits.filter { known.insert($0.chunk).inserted }.sorted { $0.score > $1.score }
            return RankedList(stage: "\(number)", hits: once, weight: Double(number) + 0.5)
        }
        for method in [RankFusion.Method.reciprocalRank, .weighted, .minMax] {
            let fusion = RankFusion(method: method)
            for hit in fusion.fuse(lists) {
                let sum = fusion.parts(of: hit.chunk, in: lists).reduce(0) { $0 + $1.value }
                #expect(abs(sum - hit.score) < 1e-9)
            }
        }
    }
}
