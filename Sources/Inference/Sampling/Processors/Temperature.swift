internal import LanguageModels
internal import Models

/// Divides logits by a temperature; values below 1 sharpen the distribution, and 0 keeps only the most probable token.
public struct Temperature: LogitProcessor {
    /// Divisor of the logits, 0 or more.
    public let temperature: Float

    /// Creates the processor.
    public init(_ temperature: Float) { self.temperature = temperature }

    /// Setting `temperature`.
    static let sampler = Sampler(.temperature) { value throws(ModelError) in
        guard value.double != 1 else { return nil }
        guard value.double >= 0, value.double.isFinite else {
            throw Sampler.outOfRange(
                .temperature, value, "Use 0 for the most likely token, or a number up to 100.")
        }
        return Temperature(Float(value.double))
    }

    public var name: String { "temperature \(temperature.inWords)" }

    public func process(_ candidates: Candidates, after history: TokenHistory) {
        if temperature > 0 {
            // A tiny temperature must not turn a logit of 30 into infinity.
            candidates.multiply(by: 1 / max(temperature, 1e-30), from: candidates.greatest)
        } else {
            candidates.keepMostProbable()
        }
    }
}
