internal import EvalLogs
internal import JSON
internal import Statistics
internal import System
internal import Traces

/// The confidence level of an interval.
enum IntervalLevel {
    static let setting = ScorerSetting("level", "confidence level of the interval", standard: .number(0.95))

    static func read(_ settings: ScorerSettings) throws(Problem) -> Double {
        let level = try settings.double("level", 0.95)
        guard level > 0, level < 1 else { throw settings.error("\"level\" must be between 0 and 1") }
        return level
    }
}

/// Means over samples, summed in the order of the task.
enum Means {
    /// - Returns: `nil` if no sample has a value.
    static func figure(
        _ name: String, _ values: [(value: Double?, cluster: String?)], _ score: EvalScoreKind, level: Double = 0.95,
        note: String? = nil
    ) -> EvalMetric? {
        let scored = values.filter { $0.value.map { !$0.isNaN } ?? false }
        let numbers = scored.compactMap(\.value)
        let isClustered = scored.contains { $0.cluster != nil }
        let estimate =
            isClustered
            ? MeanEstimate(of: numbers, clusters: clusterNumbers(scored.map(\.cluster))) : MeanEstimate(of: numbers)
        guard let estimate else { return nil }
        let interval = estimate.interval(of: numbers, level: level)
        let missing = values.count - scored.count
        let notes = [note, missing > 0 ? "\(missing) of \(values.count) samples could not be scored" : nil]
            .compactMap { $0 }
        return EvalMetric(
            score: score.name, name: name, value: estimate.mean, standardError: estimate.standardError,
            lower: interval?.lower, upper: interval?.upper, level: interval == nil ? nil : level, count: numbers.count,
            higherIsBetter: score.higherIsBetter, note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }
}
