internal import LanguageModels

/// Keeps the smallest set of most probable tokens whose probabilities sum to at least p.
///
/// - Source: Holtzman et al., The Curious Case of Neural Text Degeneration, ICLR 2020.
public struct TopP: LogitProcessor {
    /// Cumulative probability, 0 to 1.
    public let p: Double

    /// Creates the processor.
    public init(_ p: Double) { self.p = p }

    /// Setting `top_p`.
    static let sampler = Sampler.probability(.topP) { $0 < 1 ? TopP($0) : nil }

    public var name: String { "top-p \(Float(p).inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepNucleus(p) }
}
