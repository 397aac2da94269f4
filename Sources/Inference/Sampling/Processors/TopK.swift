internal import LanguageModels
internal import Models

/// Keeps the k greatest logits, and all logits that equal the kth.
///
/// - Source: Fan, Lewis, Dauphin, Hierarchical Neural Story Generation, ACL 2018.
public struct TopK: LogitProcessor {
    /// Number of tokens to keep, 1 or more.
    public let k: Int

    /// Creates the processor.
    public init(_ k: Int) { self.k = k }

    /// Setting `top_k`.
    static let sampler = Sampler(.topK, truncates: true) { value throws(ModelError) in
        guard case .count(let k) = value, k != 0 else { return nil }
        guard k > 0 else {
            throw Sampler.outOfRange(.topK, value, "Use 0 to keep all tokens, or a number above 0.")
        }
        return TopK(k)
    }

    public var name: String { "top-k \(k)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepGreatest(k) }
}
