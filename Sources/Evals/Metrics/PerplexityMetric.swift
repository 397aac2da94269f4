public import EvalLogs
internal import Glibc
internal import Statistics
public import System
internal import Traces

/// Perplexities of all texts together, from parts Σ ln p, words, bytes, tokens.
///
/// word: exp(−Σ ln p / words); byte: exp(−Σ ln p / bytes); bits per byte: −Σ ln p / bytes / ln 2; token likewise.
public struct PerplexityMetric: Metric {
    public static let kind = MetricKind("perplexity", "perplexity per word, byte, and token, and bits per byte")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let told = samples.filter { $0.parts.count == 4 && $0.parts.allSatisfy(\.isFinite) }
        guard !told.isEmpty else { return [] }
        let (parts, clusters) = (told.map(\.parts), told.map(\.cluster))
        let note =
            told.count < samples.count ? "\(samples.count - told.count) samples report no log-probability" : nil
        func figure(_ name: String, _ unit: Int, _ value: @Sendable (Double) -> Double) -> [EvalMetric] {
            @Sendable func whole(_ parts: [[Double]]) -> Double? {
                let (sum, units) = parts.reduce((0.0, 0.0)) { ($0.0 + $1[0], $0.1 + $1[unit]) }
                return units > 0 ? value(-sum / units) : nil
            }
            guard let figure = whole(parts), figure.isFinite else { return [] }
            let interval = MetricBootstrap.interval(of: figure, clusters: clusters) { places in
                whole(places.map { parts[$0] })
            }
            return [
                EvalMetric(
                    score: score.name, name: name, value: figure, lower: interval?.lower, upper: interval?.upper,
                    level: interval?.level, count: told.count, higherIsBetter: false, note: note)
            ]
        }
        return figure("word_perplexity", 1) { exp($0) } + figure("byte_perplexity", 2) { exp($0) }
            + figure("bits_per_byte", 2) { $0 / log(2) } + figure("token_perplexity", 3) { exp($0) }
    }
}
