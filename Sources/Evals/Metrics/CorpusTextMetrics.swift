public import EvalLogs
internal import JSON
internal import Statistics
public import System
internal import Traces

/// Returns a figure of all answers together, with a bootstrap interval; ignores samples without targets or with too
/// long texts.
private func corpusFigure<Part: Sendable>(
    _ name: String, _ samples: [MetricSample], _ score: EvalScoreKind, higherIsBetter: Bool = true,
    _ statistics: (MetricSample) -> Part?, _ value: @Sendable ([Part]) -> Double?
) -> [EvalMetric] {
    var all: [Part] = []
    var clusters: [String?] = []
    for sample in samples where ComparedTexts.problem(sample.answer, sample.targets) == nil {
        guard let found = statistics(sample) else { continue }
        all.append(found)
        clusters.append(sample.cluster)
    }
    guard !all.isEmpty, let figure = value(all) else { return [] }
    let missing = samples.count - all.count
    let every = all
    let interval = MetricBootstrap.interval(of: figure, clusters: clusters) { places in
        value(places.map { every[$0] })
    }
    return [
        EvalMetric(
            score: score.name, name: name, value: figure, lower: interval?.lower, upper: interval?.upper,
            level: interval?.level, count: all.count, higherIsBetter: higherIsBetter,
            note: missing > 0 ? "\(missing) of \(samples.count) samples could not be compared" : nil)
    ]
}

/// BLEU of all answers together, 0 to 100; see ``BLEU``.
public struct CorpusBLEUMetric: Metric {
    public static let kind = MetricKind("corpus_bleu", "BLEU of all answers together, 0 to 100")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        corpusFigure(Self.kind.name, samples, score) {
            BLEU.Statistics(parts: $0.parts) ?? BLEU.Statistics($0.answer, references: $0.targets)
        } _: { all in
            var sum = BLEU.Statistics()
            for one in all { sum += one }
            return sum.score()
        }
    }
}

/// chrF of all answers together, 0 to 100; see ``ChrF``.
public struct CorpusChrFMetric: Metric {
    public static let kind = MetricKind(
        "corpus_chrf", "chrF of all answers together, 0 to 100",
        settings: [ScorerSetting("word_order", "0 for chrF, 2 for chrF++", standard: .integer(0))])
    private let chrF: ChrF

    public init(_ settings: ScorerSettings) throws(Problem) {
        chrF = ChrF(wordOrders: try settings.int("word_order", 0, in: 0...6))
    }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        corpusFigure(chrF.wordOrders == 0 ? "corpus_chrf" : "corpus_chrf++", samples, score) {
            chrF.statistics($0.answer, references: $0.targets) ?? chrF.statistics(parts: $0.parts)
        } _: { [chrF] all in
            var sum = chrF.nothing
            for one in all { sum += one }
            return sum.score
        }
    }
}

/// TER of all answers together, in percent; see ``TER``.
public struct CorpusTERMetric: Metric {
    public static let kind = MetricKind("corpus_ter", "translation edit rate of all answers together, in percent")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        corpusFigure(Self.kind.name, samples, score, higherIsBetter: false) {
            TER.statistics($0.answer, references: $0.targets)
        } _: { all in
            var sum = TER.Statistics()
            for one in all { sum += one }
            return sum.score
        }
    }
}

/// Mean ROUGE F-score over samples; see ``ROUGE``.
public struct CorpusROUGEMetric: Metric {
    public static let kind = MetricKind(
        "corpus_rouge", "mean ROUGE F-score over samples",
        settings: ROUGE.settings)
    private let rouge: ROUGE
    private let name: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        (name, rouge) = try ROUGE.chosen(by: settings)
    }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let values = samples.map { sample -> (value: Double?, cluster: String?) in
            guard ComparedTexts.problem(sample.answer, sample.targets) == nil else { return (nil, sample.cluster) }
            let fits = sample.targets.compactMap { rouge.score(sample.answer, reference: $0)?.f }
            return (value: fits.max(), cluster: sample.cluster)
        }
        return [Means.figure(name, values, EvalScoreKind(score.name))].compactMap { $0 }
    }
}
