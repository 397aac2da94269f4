/// How figures of classes become one.
public enum ClassAverage: String, Hashable, Sendable, CaseIterable {
    /// Each class counts the same.
    case macro
    /// Each sample counts the same.
    case micro
    /// Each class counts by how often it truly occurs.
    case weighted
}

extension ConfusionMatrix {
    /// Right ones among those given this class; nil where none was.
    public func precision(of label: Label) -> Double? {
        labels.firstIndex(of: label).flatMap { figures(at: $0).precision }
    }

    /// Right ones among those truly of this class; nil where none is.
    public func recall(of label: Label) -> Double? { labels.firstIndex(of: label).flatMap { figures(at: $0).recall } }

    /// (1 + beta²) TP / ((1 + beta²) TP + beta² FN + FP); nil where the class occurs on neither side.
    ///
    /// Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    public func fScore(of label: Label, beta: Double = 1) -> Double? {
        labels.firstIndex(of: label).flatMap { figures(at: $0).fScore(beta) }
    }

    /// The mean over classes; those without a figure count as 0, as scikit-learn has it. nil for no samples.
    ///
    /// - Parameter classes: those that are averaged over, nil for all: an answer that names no class is a miss of the
    ///   right one, and no class of its own.
    public func precision(_ average: ClassAverage, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.precision }
    }

    /// The same of recall.
    public func recall(_ average: ClassAverage, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.recall }
    }

    /// The same of the F-score.
    public func fScore(_ average: ClassAverage, beta: Double = 1, over classes: [Label]? = nil) -> Double? {
        averaged(average, classes) { $0.fScore(beta) }
    }

    struct Figures {
        var right: Double
        var given: Double
        var actual: Double

        var precision: Double? { given > 0 ? right / given : nil }
        var recall: Double? { actual > 0 ? right / actual : nil }

        func fScore(_ beta: Double) -> Double? {
            let square = beta * beta
            let below = given + square * actual
            return below > 0 ? (1 + square) * right / below : nil
        }
    }

    func figures(at place: Int) -> Figures {
        Figures(
            right: Double(counts[place][place]), given: Double(counts.reduce(0) { $0 + $1[place] }),
            actual: Double(counts[place].reduce(0, +)))
    }

    private func averaged(
        _ average: ClassAverage, _ among: [Label]?, _ figure: (Figures) -> Double?
    ) -> Double? {
        let places = among.map { Set($0) }.map { known in labels.indices.filter { known.contains(labels[$0]) } }
        let classes = (places ?? Array(labels.indices)).map { figures(at: $0) }
        let actual = classes.reduce(0) { $0 + $1.actual }
        guard actual > 0 else { return nil }
        switch average {
        case .macro: return classes.reduce(0) { $0 + (figure($1) ?? 0) } / Double(classes.count)
        case .weighted: return classes.reduce(0) { $0 + (figure($1) ?? 0) * $1.actual } / actual
        case .micro:
            let sums = classes.reduce(into: Figures(right: 0, given: 0, actual: 0)) {
                $0.right += $1.right
                $0.given += $1.given
                $0.actual += $1.actual
            }
            return figure(sums) ?? 0
        }
    }
}
