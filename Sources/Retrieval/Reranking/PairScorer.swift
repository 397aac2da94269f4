public import System

/// Something that grades a passage as the answer to a query, both read together.
public protocol PairScorer: Sendable {
    var name: String { get }

    /// One score for each passage, higher is better; of any scale.
    ///
    /// - Throws: `Problem`, including when the call was canceled.
    func scores(
        _ query: String, _ passages: [String], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Double]
}

/// Ranks by a cross-encoder.
struct PairReranker: Reranker {
    let scorer: any PairScorer
    let memory: PipelineMemory

    var parameters: [Stage.Parameter] { [Stage.Parameter("model", scorer.name)] }

    func rank(
        _ query: String, _ candidates: [ChunkContent], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        let keys = candidates.map { PipelineMemory.Pair(model: scorer.name, query: query, chunk: $0.id) }
        var scores = memory.scores(of: keys)
        let open = scores.indices.filter { scores[$0] == nil }
        // A few at once, so that canceling is heard between them.
        for start in stride(from: 0, to: open.count, by: 8) {
            if isCancelled() { throw .cancelled("reranked") }
            let some = open[start..<min(start + 8, open.count)]
            let made = try scorer.scores(query, some.map { candidates[$0].text }, isCancelled: isCancelled)
            guard made.count == some.count else {
                throw Problem(
                    .failed, "reranked", "\(scorer.name) returned \(made.count) scores for \(some.count) passages")
            }
            for (place, score) in zip(some, made) {
                scores[place] = score
                memory.keep(score, of: keys[place])
            }
        }
        return RerankedOrder(scores: scores.map { $0.flatMap { $0.isNaN ? nil : $0 } })
    }
}
