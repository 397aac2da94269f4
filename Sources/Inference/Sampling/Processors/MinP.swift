internal import Glibc
internal import LanguageModels

/// Keeps tokens with at least p times the probability of the most probable one.
///
/// - Source: Nguyen et al., Turning Up the Heat: Min-p Sampling, ICLR 2025.
public struct MinP: LogitProcessor {
    /// Fraction of the largest probability, 0 to 1.
    public let p: Double

    /// Creates the processor.
    public init(_ p: Double) { self.p = p }

    /// Setting `min_p`.
    static let sampler = Sampler.probability(.minP) { $0 > 0 ? MinP($0) : nil }

    public var name: String { "min-p \(Float(p).inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        // Ratios of probabilities are differences of logits: no softmax is needed.
        candidates.keep(reaching: candidates.greatest + Float(log(p)))
    }
}
