/// Keeps the k greatest logits, and what equals the last of them.
///
/// - Source: Fan, Lewis, Dauphin, Hierarchical Neural Story Generation, ACL 2018.
public struct TopK: LogitProcessor {
    public let k: Int
    public init(_ k: Int) { self.k = k }

    public var name: String { "top-k \(k)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepGreatest(k) }
}
