internal import LanguageModels
internal import Models

/// Divides logits: below 1 the probable become more so. 0 leaves the most probable token alone.
public struct Temperature: LogitProcessor {
    public let temperature: Float
    public init(_ temperature: Float) { self.temperature = temperature }

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
