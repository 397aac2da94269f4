public import EvalLogs
public import Statistics

extension MetricSample {
    /// Creates a sample as the metrics of a score see it.
    ///
    /// - Parameters:
    ///   - epochs: Scores of this kind, one per epoch, in order.
    ///   - choices: Choices of the sample.
    ///   - right: Text of the correct choice; `nil` if the sample has no choices.
    public init(
        id: String, epochs: [EvalScore], reducer: EpochReducer, score: EvalScoreKind, cluster: String? = nil,
        answer: String = "", targets: [String] = [], right: String? = nil, choices: [String] = []
    ) {
        let values = epochs.compactMap(\.value).filter { !$0.isNaN }
        let scored = epochs.filter { $0.value.map { !$0.isNaN } ?? false }
        let told = scored.first ?? epochs.first
        let label = Self.commonest(scored.compactMap(\.label)) ?? told?.label
        let sure = scored.filter { $0.label == label }.compactMap(\.confidence)
        self.init(
            id: id, value: reducer.reduce(values, higherIsBetter: score.higherIsBetter) { score.passes($0) },
            answered: label, target: right ?? targets.first,
            confidence: sure.isEmpty ? told?.confidence : sure.reduce(0, +) / Double(sure.count),
            parts: told?.parts ?? [], cluster: cluster, epochs: values,
            answer: told?.answer ?? answer, targets: targets)
        if parts.count == choices.count { self.choices = choices }
        if reducer == .mean, !values.isEmpty {
            passed = Double(values.count { score.passes($0) }) / Double(values.count)
        } else {
            passed = value.map { Self.passes($0, reducer, score) ? 1 : 0 }
        }
    }

    /// Returns the most common label; of equally common ones, the first.
    private static func commonest(_ labels: [String]) -> String? {
        guard labels.count > 1 else { return labels.first }
        var counts: [String: Int] = [:]
        for label in labels { counts[label, default: 0] += 1 }
        let most = counts.values.max()
        return labels.first { counts[$0] == most }
    }

    /// Returns whether a value passes. Reducers that count passes give shares of epochs, whatever the score is.
    private static func passes(_ value: Double, _ reducer: EpochReducer, _ score: EvalScoreKind) -> Bool {
        switch reducer {
        case .atLeast, .passAt, .passAll: value >= 1
        case .mean, .median, .mode, .max: score.passes(value)
        }
    }
}
