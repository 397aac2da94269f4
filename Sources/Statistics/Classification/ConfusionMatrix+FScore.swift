/// Methods of averaging a metric over classes.
public enum ClassAverage: String, Hashable, Sendable, CaseIterable {
    /// All classes have equal weight.
    case macro
    /// All samples have equal weight.
    case micro
    /// Each class is weighted by its number of true samples.
    case weighted
}

extension ConfusionMatrix {
    /// Returns the share of predictions of a class that are correct; `nil` if the class was never predicted.
    public func precision(of label: Label) -> Double? {
        labels.firstIndex(of: label).flatMap { counts(at: $0).precision }
    }

    /// Returns the share of true samples of a class that were predicted as such; `nil` if the class never occurs.
    public func recall(of label: Label) -> Double? { labels.firstIndex(of: label).flatMap { counts(at: $0).recall } }

    /// Returns (1 + beta²) TP / ((1 + beta²) TP + beta² FN + FP); `nil` if the class neither occurs nor was predicted.
    ///
    /// Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    public func fScore(of label: Label, beta: Double = 1) -> Double? {
        labels.firstIndex(of: label).flatMap { counts(at: $0).fScore(beta) }
    }

    /// Returns the precision averaged over classes.
    ///
    /// As in scikit-learn, classes without a precision count as 0.
    /// - Parameter classes: Classes to average over (default: all). If a separate label marks
    ///   replies that name no class, exclude it: such replies then count only as misses of the true class.
    /// - Returns: `nil` if there are no samples.
    public func precision(_ average: ClassAverage, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.precision }
    }

    /// Returns the recall averaged over classes; see ``precision(_:over:)``.
    public func recall(_ average: ClassAverage, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.recall }
    }

    /// Returns the F-score averaged over classes; see ``precision(_:over:)``.
    public func fScore(_ average: ClassAverage, beta: Double = 1, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.fScore(beta) }
    }

    struct ClassCounts {
        var correct: Double
        var predicted: Double
        var actual: Double

        var precision: Double? { predicted > 0 ? correct / predicted : nil }
        var recall: Double? { actual > 0 ? correct / actual : nil }

        func fScore(_ beta: Double) -> Double? {
            let square = beta * beta
            let denominator = predicted + square * actual
            return denominator > 0 ? (1 + square) * correct / denominator : nil
        }
    }

    func counts(at place: Int) -> ClassCounts {
        ClassCounts(
            correct: Double(counts[place][place]), predicted: Double(counts.reduce(0) { $0 + $1[place] }),
            actual: Double(counts[place].reduce(0, +)))
    }

    private func averaged(
        _ average: ClassAverage, _ labelsToAverage: [Label]?, _ metric: (ClassCounts) -> Double?
    ) -> Double? {
        let places = labelsToAverage.map { Set($0) }.map { known in
            labels.indices.filter { known.contains(labels[$0]) }
        }
        let classes = (places ?? Array(labels.indices)).map { counts(at: $0) }
        let actual = classes.reduce(0) { $0 + $1.actual }
        guard actual > 0 else { return nil }
        switch average {
        case .macro: return classes.reduce(0) { $0 + (metric($1) ?? 0) } / Double(classes.count)
        case .weighted: return classes.reduce(0) { $0 + (metric($1) ?? 0) * $1.actual } / actual
        case .micro:
            let sums = classes.reduce(into: ClassCounts(correct: 0, predicted: 0, actual: 0)) {
                $0.correct += $1.correct
                $0.predicted += $1.predicted
                $0.actual += $1.actual
            }
            return metric(sums) ?? 0
        }
    }
}
