internal import LanguageModels
internal import Models

/// Keeps the k greatest logits, and what equals the last of them.
///
/// - Source: Fan, Lewis, Dauphin, Hierarchical Neural Story Generation, ACL 2018.
public struct TopK: LogitProcessor {
    public let k: Int
    public init(_ k: Int) { self.k = k }

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
