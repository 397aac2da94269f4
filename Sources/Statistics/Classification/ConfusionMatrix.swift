/// How often each class was taken for each.
public struct ConfusionMatrix<Label: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// In their order.
    public let labels: [Label]
    /// [true class][predicted class].
    public let counts: [[Int]]

    /// Counts pairs of a true and a predicted class.
    ///
    /// - Parameter labels: the classes in the order wanted; nil takes those that occur, sorted. Pairs with a class that is
    ///   not among them are left out.
    public init(truth: [Label], predicted: [Label], labels: [Label]? = nil) {
        let labels = labels ?? Set(zip(truth, predicted).flatMap { [$0, $1] }).sorted()
        let places = Dictionary(labels.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
        var counts = [[Int]](repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
        for (right, given) in zip(truth, predicted) {
            if let row = places[right], let column = places[given] { counts[row][column] += 1 }
        }
        self.labels = labels
        self.counts = counts
    }

    /// Of counts that are known: [true class][predicted class], a row and a column for each label.
    public init(labels: [Label], counts: [[Int]]) {
        self.labels = labels
        self.counts = labels.indices.map { row in
            labels.indices.map { row < counts.count && $0 < counts[row].count ? counts[row][$0] : 0 }
        }
    }

    /// All pairs.
    public var count: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }
    /// Those on the diagonal.
    public var correct: Int { counts.indices.reduce(0) { $0 + counts[$1][$1] } }
    /// How often each class truly occurs.
    public var truthTotals: [Int] { counts.map { $0.reduce(0, +) } }
    /// How often each class was given.
    public var predictedTotals: [Int] { counts.indices.map { column in counts.reduce(0) { $0 + $1[column] } } }

    /// The share of the diagonal; nil for none.
    public var accuracy: Double? { count > 0 ? Double(correct) / Double(count) : nil }

    /// The mean recall of the classes that truly occur; nil for none.
    public var balancedAccuracy: Double? {
        let recalls = labels.indices.compactMap { figures(at: $0).recall }
        return recalls.isEmpty ? nil : recalls.reduce(0, +) / Double(recalls.count)
    }

    /// Matthews' correlation coefficient, for any number of classes; nil where one side has a single class.
    ///
    /// (c s - sum p_k t_k) / sqrt((s² - sum p_k²) (s² - sum t_k²))
    /// - Source: Gorodkin, Computational Biology and Chemistry 28 (2004).
    public var matthews: Double? {
        let (s, c) = (Double(count), Double(correct))
        let (p, t) = (predictedTotals.map(Double.init), truthTotals.map(Double.init))
        let both = zip(p, t).reduce(0) { $0 + $1.0 * $1.1 }
        let (pp, tt) = (p.reduce(0) { $0 + $1 * $1 }, t.reduce(0) { $0 + $1 * $1 })
        let below = (s * s - pp).squareRoot() * (s * s - tt).squareRoot()
        return below > 0 ? (c * s - both) / below : nil
    }
}
