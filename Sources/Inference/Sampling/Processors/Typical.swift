internal import LanguageModels

/// Keeps the tokens about as surprising as one expects: the smallest set, by |−log p − H|, whose probabilities sum to
/// the mass.
///
/// - Source: Meister, Pimentel, Wiher, Cotterell, Locally Typical Sampling, TACL 2023.
public struct Typical: LogitProcessor {
    public let mass: Double
    public init(_ mass: Double) { self.mass = mass }

    static let sampler = Sampler.share(.typicalP) { $0 < 1 ? Typical($0) : nil }

    public var name: String { "typical \(Float(mass).inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepTypical(mass) }
}
