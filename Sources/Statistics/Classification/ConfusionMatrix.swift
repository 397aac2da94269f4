/// A confusion matrix: numbers of samples by true class and predicted class.
public struct ConfusionMatrix<Label: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// Classes in the order of rows and columns.
    public let labels: [Label]
    /// Counts as [true class][predicted class].
    public let counts: [[Int]]

    /// Creates a matrix by counting pairs of a true and a predicted class.
    ///
    /// - Parameter labels: Classes in the order of rows and columns (default: all classes that occur, sorted). Pairs
    ///   with any other class are ignored.
    public init(truth: [Label], predicted: [Label], labels: [Label]? = nil) {
        let labels = labels ?? Set(zip(truth, predicted).flatMap { [$0, $1] }).sorted()
        let places = Dictionary(labels.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
        var counts = [[Int]](repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
        for (actual, prediction) in zip(truth, predicted) {
            if let row = places[actual], let column = places[prediction] { counts[row][column] += 1 }
        }
        self.labels = labels
        self.counts = counts
    }

    /// Creates a matrix from counts indexed as [true class][predicted class]; missing counts become 0.
    public init(labels: [Label], counts: [[Int]]) {
        self.labels = labels
        self.counts = labels.indices.map { row in
            labels.indices.map { row < counts.count && $0 < counts[row].count ? counts[row][$0] : 0 }
        }
    }

    /// Number of samples.
    public var count: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }
    /// Number of correct predictions.
    public var correct: Int { counts.indices.reduce(0) { $0 + counts[$1][$1] } }
    /// Number of samples per true class.
    public var truthTotals: [Int] { counts.map { $0.reduce(0, +) } }
    /// Number of samples per predicted class.
    public var predictedTotals: [Int] { counts.indices.map { column in counts.reduce(0) { $0 + $1[column] } } }

    /// Share of correct predictions; `nil` if there are no samples.
    public var accuracy: Double? { count > 0 ? Double(correct) / Double(count) : nil }

    /// Mean recall of the true classes that occur; `nil` if there are no samples.
    public var balancedAccuracy: Double? {
        let recalls = labels.indices.compactMap { counts(at: $0).recall }
        return recalls.isEmpty ? nil : recalls.reduce(0, +) / Double(recalls.count)
    }

    /// Matthews correlation coefficient for any number of classes; `nil` if either side has only one class.
    ///
    /// (c s - sum p_k t_k) / sqrt((s² - sum p_k²) (s² - sum t_k²))
    /// - Source: Gorodkin, Computational Biology and Chemistry 28 (2004).
    public var matthews: Double? {
        let (s, c) = (Double(count), Double(correct))
        let (p, t) = (predictedTotals.map(Double.init), truthTotals.map(Double.init))
        let both = zip(p, t).reduce(0) { $0 + $1.0 * $1.1 }
        let (pp, tt) = (p.reduce(0) { $0 + $1 * $1 }, t.reduce(0) { $0 + $1 * $1 })
        let denominator = (s * s - pp).squareRoot() * (s * s - tt).squareRoot()
        return denominator > 0 ? (c * s - both) / denominator : nil
    }
}
