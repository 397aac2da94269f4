import EvalLogs
import Evals
import JSON
import Testing

/// Bootstrap standard errors, resampled as in lm-evaluation-harness.
struct ResampleTests {
    // 2,000 resamples in chunks of 1,000 with `random.Random(i).choices`, figures of NumPy-free Python and scikit-learn
    // 1.5: statistics.stdev of exp(-mean), sorted(x)[n // 2], f1_score, matthews_corrcoef.
    @Test(
        "resampled standard errors equal those of lm-evaluation-harness",
        arguments: [
            ("perplexity", 0.469_787_940_802_491_14), ("median", 0.210_896_867_554_670_4),
            ("f1", 0.119_178_833_244_715_57), ("matthews_corrcoef", 0.054_880_932_873_487_095),
        ])
    func errors(word: String, expected: Double) throws {
        func sample(_ number: Int) -> MetricSample {
            let (first, second) = (number * 7 % 3, number * number)
            let parts: [Double] =
                word == "f1" ? [Double(first % 2), Double(second % 5 % 2)] : [Double(first), Double(second % 3)]
            return MetricSample(id: "\(number)", value: -Double(number * 37 % 11) / 4 - 0.1, parts: parts)
        }
        let samples = (0..<(word == "perplexity" || word == "median" ? 41 : 40)).map(sample)
        let metric = try LMEvalMetric(
            ScorerSettings([
                .init(key: "aggregation", value: .string(word)), .init(key: "resamples", value: .integer(2000)),
            ]))
        let figure = try #require(metric.figures(of: samples, score: EvalScoreKind("x")).first)
        #expect(abs(try #require(figure.standardError) - expected) < 1e-12)
    }
}
