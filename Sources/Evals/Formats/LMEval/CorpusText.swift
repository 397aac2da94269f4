internal import EvalLogs
internal import JSON

/// Metrics of all answers together, after the filters.
enum CorpusText {
    /// Maximum number of comparisons for a standard error.
    private static let most = 200_000

    /// Returns value and standard error; `nil` if no sample can be compared.
    ///
    /// The error is the standard deviation over 100 resamples, drawn with `random.Random(0)`; `nil` if that would take
    /// too long.
    static func figure(_ word: String, _ samples: [MetricSample]) -> (value: Double, error: Double?)? {
        let score = EvalScoreKind(word)
        let settings = ScorerSettings(word == "chrf++" ? [.init(key: "word_order", value: .integer(2))] : [])
        let metric: (any Metric)? =
            switch word {
            case "bleu": try? CorpusBLEUMetric(settings)
            case "ter": try? CorpusTERMetric(settings)
            default: try? CorpusChrFMetric(settings)
            }
        guard let metric else { return nil }
        let filtered = samples.map { sample in
            var sample = sample
            sample.answer = sample.answered ?? sample.answer
            return sample
        }
        func value(_ samples: [MetricSample]) -> Double? { metric.figures(of: samples, score: score).first?.value }
        guard let whole = value(filtered) else { return nil }
        guard filtered.count > 1, filtered.count * 100 <= most else { return (whole, nil) }
        var random = PythonRandom(seed: 0)
        var figures: [Double] = []
        for _ in 0..<100 {
            let drawn = filtered.indices.map { _ in filtered[Int(random.unit() * Double(filtered.count))] }
            guard let figure = value(drawn) else { return (whole, nil) }
            figures.append(figure)
        }
        return (whole, Aggregate.deviation(figures))
    }
}
