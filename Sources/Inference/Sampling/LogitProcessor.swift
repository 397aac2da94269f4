/// One step between a model's logits and the draw: it moves logits, or removes candidates.
///
/// ```swift
/// struct Ban: LogitProcessor {
///     var name: String { "ban" }
///     let id: TokenID
///     func process(_ candidates: Candidates, after history: TokenHistory) { candidates.set(id, to: -.infinity) }
/// }
/// ```
public protocol LogitProcessor: Sendable {
    /// Display name: `top-k 40`.
    var name: String { get }
    func process(_ candidates: Candidates, after history: TokenHistory)
}
