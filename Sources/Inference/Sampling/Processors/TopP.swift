internal import LanguageModels

/// Keeps the smallest set of most probable tokens whose probabilities sum to p; the token that crosses it stays.
///
/// - Source: Holtzman et al., The Curious Case of Neural Text Degeneration, ICLR 2020.
public struct TopP: LogitProcessor {
    public let p: Double
    public init(_ p: Double) { self.p = p }

    static let sampler = Sampler.share(.topP) { $0 < 1 ? TopP($0) : nil }

    public var name: String { "top-p \(Float(p).inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepNucleus(p) }
}
