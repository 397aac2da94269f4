/// Makes one ranking of several.
///
/// ```swift
/// let words = RankedList(stage: "lexical", hits: [ChunkHit(chunk: 7, score: 9.1), ChunkHit(chunk: 2, score: 7.4)])
/// let vectors = RankedList(stage: "dense", hits: [ChunkHit(chunk: 7, score: 0.81)])
/// RankFusion(method: .reciprocalRank).fuse([words, vectors])   // 7: 1/61 + 1/61, 2: 1/62
/// ```
public struct RankFusion: Hashable, Sendable {
    public typealias Method = PipelineDefinition.Fusion.Method

    public var method: Method
    /// Constant added to every rank in reciprocal rank fusion.
    public var k: Double
    /// Number of entries of each ranking that count (default: all).
    public var depth: Int?

    public init(method: Method, k: Double = 60, depth: Int? = nil) {
        self.method = method
        self.k = k
        self.depth = depth
    }

    /// The contribution of one ranking to the score of a chunk.
    public struct Part: Hashable, Sendable {
        /// The place of the ranking among those that were fused.
        public var list: Int
        /// Rank, starting at 1.
        public var rank: Int
        public var value: Double
    }

    /// Returns the chunks of all rankings by the sums of their parts, best first, ties by the smaller id. O(n log n).
    public func fuse(_ lists: [RankedList]) -> [ChunkHit] {
        var sums: [Int64: Double] = [:]
        for list in lists {
            let scale = Scale(list, depth)
            for (index, hit) in list.hits.prefix(depth ?? .max).enumerated() {
                sums[hit.chunk, default: 0] += value(index + 1, hit.score, list, scale)
            }
        }
        return sums.map { ChunkHit(chunk: $0.key, score: $0.value) }.sorted {
            $0.score != $1.score ? $0.score > $1.score : $0.chunk < $1.chunk
        }
    }

    /// Returns the contribution of each ranking to the score of one chunk, except rankings without the chunk.
    public func parts(of chunk: Int64, in lists: [RankedList]) -> [Part] {
        lists.enumerated().compactMap { number, list in
            guard let index = list.hits.prefix(depth ?? .max).firstIndex(where: { $0.chunk == chunk }) else {
                return nil
            }
            return Part(
                list: number, rank: index + 1,
                value: value(index + 1, list.hits[index].score, list, Scale(list, depth)))
        }
    }

    /// Returns the value of a rank in a ranking, even past its end: what a chunk would add if the stage had kept it.
    func value(_ rank: Int, _ score: Double, _ list: RankedList, _ scale: Scale) -> Double {
        switch method {
        // Cormack, Clarke, Büttcher, SIGIR 2009: score(d) = Σ w / (k + rank(d)), ranks from 1.
        case .reciprocalRank: list.weight / (k + Double(rank))
        case .weighted: list.weight * (list.higherIsBetter ? score : -score)
        case .minMax: list.weight * scale.share(list.higherIsBetter ? score : -score)
        }
    }

    /// The lowest and the highest score of a ranking: min-max normalization is (s − min) / (max − min), and 1 if all
    /// are equal.
    struct Scale {
        var low: Double
        var high: Double

        init(_ list: RankedList, _ depth: Int?) {
            let scores = list.hits.prefix(depth ?? .max).map { list.higherIsBetter ? $0.score : -$0.score }
            low = scores.min() ?? 0
            high = scores.max() ?? 0
        }

        func share(_ score: Double) -> Double { high > low ? (score - low) / (high - low) : 1 }
    }
}

/// A ranking that goes into a fusion.
public struct RankedList: Hashable, Sendable {
    public var stage: String
    /// Best first.
    public var hits: [ChunkHit]
    public var weight: Double
    /// False for Euclidean distances.
    public var higherIsBetter: Bool

    public init(stage: String, hits: [ChunkHit], weight: Double = 1, higherIsBetter: Bool = true) {
        self.stage = stage
        self.hits = hits
        self.weight = weight
        self.higherIsBetter = higherIsBetter
    }
}
