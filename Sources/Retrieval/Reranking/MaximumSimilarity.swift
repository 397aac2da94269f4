internal import System

/// Ranks by late interaction: every part of the query takes the part of the passage that is nearest to it, and the
/// nearest ones are averaged.
///
/// ColBERT's parts are tokens. The encoders here give one vector a text, so the parts are sentences: score =
/// 1/|Q| Σ over q in Q of max over s in S of cos(q, s), with Q the sentences of the query, S those of the passage. A
/// passage in which one sentence answers is not watered down by the others.
///
/// - Source: Khattab & Zaharia, SIGIR 2020, equation 3, over sentences instead of tokens.
struct MaximumSimilarity: Reranker {
    let space: String
    let memory: PipelineMemory
    let embed: ([String], EmbeddingRole) throws(Problem) -> [[Float]]

    var parameters: [Stage.Parameter] { [Stage.Parameter("space", space), Stage.Parameter("parts", "sentences")] }

    func rank(
        _ query: String, _ candidates: [ChunkContent], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        let asked = Sentences.of(query).map(String.init)
        guard !asked.isEmpty else { return RerankedOrder(scores: candidates.map { _ in nil }) }
        let wanted = try embed(asked, .query).map(Cosine.unit)
        var scores: [Double?] = []
        for candidate in candidates {
            if isCancelled() { throw .cancelled("reranked") }
            let pair = PipelineMemory.Pair(model: "maxsim \(space)", query: query, chunk: candidate.id)
            if let known = memory.scores(of: [pair])[0] {
                scores.append(known)
                continue
            }
            // A passage of thousands of sentences is judged by its first ones.
            let parts = Sentences.of(candidate.text).prefix(256).map(String.init)
            guard !parts.isEmpty else {
                scores.append(nil)
                continue
            }
            let vectors = try embed(parts, .passage).map(Cosine.unit)
            let nearest = wanted.map { query in vectors.map { Cosine.dot($0, query) }.max() ?? 0 }
            let score = nearest.reduce(0, +) / Double(nearest.count)
            memory.keep(score, of: pair)
            scores.append(score)
        }
        return RerankedOrder(scores: scores)
    }
}
