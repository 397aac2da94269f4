internal import LanguageModels

/// Keeps locally typical tokens: the smallest set with the least |−log p − H|, where H is the entropy, whose
/// probabilities sum to at least the mass.
///
/// - Source: Meister, Pimentel, Wiher, Cotterell, Locally Typical Sampling, TACL 2023.
public struct Typical: LogitProcessor {
    /// Cumulative probability, 0 to 1.
    public let mass: Double

    /// Creates the processor.
    public init(_ mass: Double) { self.mass = mass }

    /// Setting `typical_p`.
    static let sampler = Sampler.probability(.typicalP) { $0 < 1 ? Typical($0) : nil }

    public var name: String { "typical \(Float(mass).inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) { candidates.keepTypical(mass) }
}
