internal import EvalLogs
internal import Statistics

/// Truths with their reported probabilities, the most probable first.
struct ToldProbabilities {
    private(set) var truth: [Bool] = []
    private(set) var probabilities: [Double] = []
    private var clusters: [String?] = []
    private var note: String?
    /// Reason why the figure is undefined.
    private var refusal: String?

    /// Creates truths and probabilities; `nil` if no sample has any.
    ///
    /// With a positive class: whether it is correct, and its probability as reported by the scorer, or, for two
    /// classes, 1 − confidence if the other class was predicted. For more classes the division of the rest is
    /// unknown, so the figure is undefined. Without a class: whether the sample passed, and the confidence of the
    /// answer.
    init?(_ samples: [MetricSample], _ score: EvalScoreKind, positive: String?) {
        var told: [(truth: Bool, probability: Double, cluster: String?)] = []
        var isDerived = false
        for sample in samples {
            if let positive {
                guard let target = sample.target, let found = sample.probability(of: positive) else { continue }
                isDerived = isDerived || found.isDerived
                told.append((target == positive, found.value, sample.cluster))
            } else if let value = sample.value, let confidence = sample.sureness {
                told.append((score.passes(value), confidence, sample.cluster))
            }
        }
        guard !told.isEmpty else { return nil }
        let missing = samples.count - told.count
        note = missing > 0 ? "\(missing) of \(samples.count) samples report no probability" : nil
        if isDerived, let positive {
            let classes = Set(samples.flatMap { [$0.target, $0.answered] }.compactMap { $0 }).subtracting([
                LabelScorer.none
            ])
            if classes.count > 2 {
                refusal =
                    "undefined: \(classes.count) classes occur, and the probability of \"\(positive)\" is unknown "
                    + "for other predictions; leave out \"positive\" to rank the confidence in all answers"
                return
            }
        }
        // Rank metrics use this order for every resample, without sorting again.
        told.sort { $0.probability > $1.probability }
        truth = told.map(\.truth)
        probabilities = told.map(\.probability)
        clusters = told.map(\.cluster)
    }

    /// Returns a figure of truths and probabilities, with a bootstrap interval.
    func figure(
        _ name: String, _ score: EvalScoreKind, higherIsBetter: Bool = true,
        _ value: @Sendable ([Bool], [Double]) -> Double?
    ) -> [EvalMetric] {
        if let refusal {
            return [
                EvalMetric(
                    score: score.name, name: name, value: .nan, count: 0, higherIsBetter: higherIsBetter, note: refusal)
            ]
        }
        guard let figure = value(truth, probabilities), figure.isFinite else { return [] }
        let (truth, probabilities) = (truth, probabilities)
        let interval = MetricBootstrap.interval(of: figure, clusters: clusters) { places in
            value(places.map { truth[$0] }, places.map { probabilities[$0] })
        }
        return [
            EvalMetric(
                score: score.name, name: name, value: figure, lower: interval?.lower, upper: interval?.upper,
                level: interval?.level, count: truth.count, higherIsBetter: higherIsBetter, note: note)
        ]
    }
}

extension MetricSample {
    /// Confidence of the answer, in [0, 1].
    fileprivate var sureness: Double? { confidence.flatMap { (0...1).contains($0) ? $0 : nil } }

    /// Returns the probability of a class, and whether it is derived from the prediction of another class; `nil` if not
    /// reported.
    fileprivate func probability(of positive: String) -> (value: Double, isDerived: Bool)? {
        if let place = choices.firstIndex(of: positive), parts.count == choices.count, parts.allSatisfy({ $0 >= 0 }),
            abs(parts.reduce(0, +) - 1) < 1e-6
        {
            return (parts[place], false)
        }
        guard let answered, answered != LabelScorer.none, let sureness else { return nil }
        return answered == positive ? (sureness, false) : (1 - sureness, true)
    }
}
