/// Samples ranked by score, with the ROC and precision-recall curves of the ranking.
public struct RankedScores: Hashable, Sendable {
    /// A threshold with its true and false positives.
    public struct Step: Hashable, Sendable {
        /// Smallest score that is predicted positive.
        public var score: Double
        /// Number of positives with at least this score.
        public var truePositives: Int
        /// Number of negatives with at least this score.
        public var falsePositives: Int
    }

    /// One step per distinct score, by descending score.
    public let steps: [Step]
    /// Number of positives.
    public let positives: Int
    /// Number of negatives.
    public let negatives: Int

    /// Creates a ranking; samples with a score of NaN are ignored.
    public init(truth: [Bool], scores: [Double]) {
        let pairs = zip(truth, scores).filter { !$1.isNaN }.sorted { $0.1 > $1.1 }
        var steps: [Step] = []
        var (hits, misses) = (0, 0)
        for (isPositive, score) in pairs {
            if isPositive { hits += 1 } else { misses += 1 }
            if steps.last?.score == score { steps.removeLast() }
            steps.append(Step(score: score, truePositives: hits, falsePositives: misses))
        }
        self.steps = steps
        positives = hits
        negatives = misses
    }

    /// A point of a curve, with its threshold.
    public struct Point: Hashable, Sendable {
        /// Horizontal coordinate.
        public var x: Double
        /// Vertical coordinate.
        public var y: Double
        /// Smallest score that is predicted positive.
        public var score: Double
    }

    /// ROC curve from (0, 0) to (1, 1): false positive rate as x, true positive rate as y; empty for a single class.
    public var rocCurve: [Point] {
        guard positives > 0, negatives > 0 else { return [] }
        return [Point(x: 0, y: 0, score: .infinity)]
            + steps.map {
                Point(
                    x: Double($0.falsePositives) / Double(negatives), y: Double($0.truePositives) / Double(positives),
                    score: $0.score)
            }
    }

    /// Area under the ROC curve: the probability that a positive scores higher than a negative, with ties counted as
    /// half.
    ///
    /// `nil` for a single class.
    ///
    /// Source: Hanley, McNeil, Radiology 143 (1982).
    public var rocArea: Double? {
        guard positives > 0, negatives > 0 else { return nil }
        var area = 0.0
        var before = Step(score: .infinity, truePositives: 0, falsePositives: 0)
        for step in steps {
            area +=
                Double(step.falsePositives - before.falsePositives)
                * Double(step.truePositives + before.truePositives) / 2
            before = step
        }
        return area / (Double(positives) * Double(negatives))
    }

    /// Precision-recall curve by descending score: recall as x, precision as y; empty without positives.
    public var precisionRecallCurve: [Point] {
        guard positives > 0 else { return [] }
        return steps.map {
            Point(
                x: Double($0.truePositives) / Double(positives),
                y: Double($0.truePositives) / Double($0.truePositives + $0.falsePositives), score: $0.score)
        }
    }

    /// Average precision: sum (R_n - R_{n-1}) P_n over the steps, without interpolation; `nil` without positives.
    public var averagePrecision: Double? {
        guard positives > 0 else { return nil }
        var (sum, before) = (0.0, 0.0)
        for point in precisionRecallCurve {
            sum += (point.x - before) * point.y
            before = point.x
        }
        return sum
    }
}
