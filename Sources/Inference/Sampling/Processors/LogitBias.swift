public import Tokenizers

/// Adds to the logits of tokens, by id.
public struct LogitBias: LogitProcessor {
    public let bias: [TokenID: Float]
    public init(_ bias: [TokenID: Float]) { self.bias = bias }

    public var name: String { bias.count == 1 ? "bias on 1 token" : "bias on \(bias.count) tokens" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        for (id, amount) in bias { candidates.set(id, to: candidates.logit(id) + amount) }
    }
}
