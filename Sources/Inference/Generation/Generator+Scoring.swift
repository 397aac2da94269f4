internal import Glibc
public import Models
public import Tokenizers

/// The prediction of a model for a token of a given text.
public struct ScoredToken: Hashable, Sendable {
    public var id: TokenID
    /// Natural logarithm of its probability after the tokens before it.
    public var logProbability: Double
    /// Rank of the token, 1 if it was the most probable one.
    public var rank: Int
    /// Entropy of the distribution, in nats.
    public var entropy: Double
}

extension Collection where Element == ScoredToken {
    /// Natural logarithm of the probability of the whole.
    public var logLikelihood: Double { reduce(0) { $0 + $1.logProbability } }
    /// Perplexity: e to the mean negative log probability; `nil` without tokens.
    public var perplexity: Double? { isEmpty ? nil : exp(-logLikelihood / Double(count)) }
}

extension Generator {
    /// Returns the log probability of each token of a text, starting at token `first`, given all preceding tokens.
    ///
    /// - Parameter first: At least 1, because the first token of a text has no prediction. To score a reply alone, use
    ///   the number of tokens of its prompt.
    /// - Parameter keep: Receives the sequence of the tokens before `first`, for other texts with the same beginning.
    /// - Returns: Scored tokens; only the first ones if canceled.
    public func score(
        _ tokens: [TokenID], from first: Int = 1, sharing others: [Completion] = [],
        keep: (Completion) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(ModelError) -> [ScoredToken] {
        guard first < tokens.count else { return [] }
        let first = max(1, first)
        try check(Array(tokens.dropLast()), for: "the next token")
        try check([tokens[tokens.count - 1]], for: "the next token")
        let completion = try begin(Array(tokens[..<first]), sharing: others)
        let cache = completion.cache
        var scores: [ScoredToken] = []
        scores.reserveCapacity(tokens.count - first)
        // Rows of logits are large: no more of them at once than 16 MB.
        let rowsAtOnce = max(1, min(prefillChunk, (4 << 20) / max(decoder.vocabularySize, 1)))
        while cache.length < tokens.count - 1 {
            guard !isCancelled() else { return scores }
            let start = cache.length
            let isBefore = start < first - 1
            let end = isBefore ? min(start + prefillChunk, first - 1) : min(start + rowsAtOnce, tokens.count - 1)
            let segment = Segment(Array(tokens[start..<end]), cache: cache, outputs: isBefore ? .none : .all)
            let rows: any LogitRows
            do {
                rows = try decoder.forward([segment], isCancelled: isCancelled)
            } catch {
                guard error.isCancellation else { throw error }
                return scores
            }
            guard !isBefore else { continue }
            for row in 0..<rows.rows {
                scores.append(try chooser.score(tokens[start + row + 1], in: rows[row]))
            }
        }
        keep(completion)
        return scores
    }
}
