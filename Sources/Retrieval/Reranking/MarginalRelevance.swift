internal import System

/// Ranks by maximal marginal relevance: near the query, and far from what is already in the list.
///
/// The next one is the d that is greatest in λ sim(d, q) − (1 − λ) max sim(d, chosen), similarities being cosines.
/// O(n² d).
///
/// - Source: Carbonell & Goldstein, SIGIR 1998.
struct MarginalRelevance: Reranker {
    let lambda: Double
    let queryVector: [Float]
    /// The vectors of chunks; `nil` for those that have none, which stay behind.
    let vectors: ([Int64]) throws(Problem) -> [[Float]?]

    var parameters: [Stage.Parameter] { [Stage.Parameter("lambda", "\(lambda)")] }

    func rank(
        _ query: String, _ candidates: [ChunkContent], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        let units = try vectors(candidates.map(\.id)).map { $0.map(Cosine.unit) }
        let wanted = Cosine.unit(queryVector)
        let relevance = units.map { $0.map { Cosine.dot($0, wanted) } ?? 0 }
        var nearest = [Double](repeating: -.infinity, count: candidates.count)
        var open = candidates.indices.filter { units[$0] != nil }
        var places: [(candidate: Int, score: Double?)] = []
        while !open.isEmpty {
            if isCancelled() { throw .cancelled("reranked") }
            var best = open[0]
            var bestScore = -Double.infinity
            for index in open {
                let penalty = places.isEmpty ? 0 : nearest[index]
                let score = lambda * relevance[index] - (1 - lambda) * penalty
                if score > bestScore { (best, bestScore) = (index, score) }
            }
            places.append((best, bestScore))
            open.removeAll { $0 == best }
            if let chosen = units[best] {
                for index in open {
                    if let other = units[index] { nearest[index] = max(nearest[index], Cosine.dot(other, chosen)) }
                }
            }
        }
        let without = candidates.indices.filter { units[$0] == nil }
        places += without.map { (candidate: $0, score: nil) }
        return RerankedOrder(
            places: places,
            note: without.isEmpty
                ? nil : "\(without.count) chunks have no vector and come last, in their original order.")
    }
}
