internal import EvalLogs
internal import Statistics

/// Predicted and correct classes of the samples that have both.
struct AnsweredClasses {
    /// Confusion matrix, with a column for answers without a class.
    let matrix: ConfusionMatrix<String>
    /// Classes to average over: those of targets and answers. An answer without a class is a miss of the correct class,
    /// and not a class itself.
    let classes: [String]
    let count: Int
    private let note: String?
    /// Index in `matrix` of each sample's correct and predicted class.
    private let cells: [(right: Int, answered: Int)]
    private let clusters: [String?]
    /// Maximum number of classes for resampling.
    private static let mostClasses = 100

    /// Creates the confusion matrix; `nil` if no sample has both classes.
    init?(_ samples: [MetricSample]) {
        let told = samples.filter { $0.answered != nil && $0.target != nil }
        guard !told.isEmpty else { return nil }
        let (right, answered) = (told.compactMap(\.target), told.compactMap(\.answered))
        matrix = ConfusionMatrix(truth: right, predicted: answered)
        let places = Dictionary(uniqueKeysWithValues: matrix.labels.enumerated().map { ($0.element, $0.offset) })
        cells = zip(right, answered).compactMap { right, answered in
            places[right].flatMap { right in places[answered].map { (right, $0) } }
        }
        clusters = told.map(\.cluster)
        count = told.count
        let isClass = right.contains(LabelScorer.none)
        classes = isClass ? matrix.labels : matrix.labels.filter { $0 != LabelScorer.none }
        let missing = samples.count - told.count
        let none = isClass ? 0 : answered.count { $0 == LabelScorer.none }
        let notes = [
            missing > 0 ? "\(missing) samples have no class" : nil,
            none > 0 ? "\(none) answers name no class and count as misses" : nil,
        ].compactMap { $0 }
        note = notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// Returns a figure of the matrix, with a bootstrap interval.
    func figure(
        _ name: String, _ score: EvalScoreKind, _ value: @Sendable (ConfusionMatrix<String>) -> Double?
    ) -> [EvalMetric] {
        guard let figure = value(matrix), figure.isFinite else { return [] }
        var interval: Interval?
        if matrix.labels.count <= Self.mostClasses {
            let (labels, cells) = (matrix.labels, cells)
            interval = MetricBootstrap.interval(of: figure, clusters: clusters) { places in
                var counts = [[Int]](repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
                for place in places { counts[cells[place].right][cells[place].answered] += 1 }
                return value(ConfusionMatrix(labels: labels, counts: counts))
            }
        }
        return [
            EvalMetric(
                score: score.name, name: name, value: figure, lower: interval?.lower, upper: interval?.upper,
                level: interval?.level, count: count, note: note)
        ]
    }

    /// Returns the nonzero cells of the matrix; counts have no interval.
    func counts(_ score: EvalScoreKind) -> [EvalMetric] {
        zip(matrix.labels, matrix.counts).flatMap { right, row in
            zip(matrix.labels, row).filter { $0.1 > 0 }.map { answered, times in
                EvalMetric(
                    score: score.name, name: "confusion[\(right)→\(answered)]", value: Double(times), count: count,
                    note: note)
            }
        }
    }

    /// Returns the value for one class, or the average over all; a class that does not occur has none.
    static func value(
        _ average: String, of one: (String) -> Double?, over all: (ClassAverage) -> Double?
    ) -> Double? {
        ClassAverage(rawValue: average).map(all) ?? one(average)
    }
}
