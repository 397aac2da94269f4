/// How well scores put positives before negatives.
public struct RankedScores: Hashable, Sendable {
    /// Positives and negatives with this score or a higher one.
    public struct Step: Hashable, Sendable {
        /// From here on samples are taken for positive.
        public var score: Double
        /// Positives that are taken.
        public var truePositives: Int
        /// Negatives that are taken.
        public var falsePositives: Int
    }

    /// One step a distinct score, the highest first: equal scores come in together.
    public let steps: [Step]
    /// All positives.
    public let positives: Int
    /// All negatives.
    public let negatives: Int

    /// Samples with NaN as score are left out.
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

    /// A point of a curve, with the score from which on samples are taken for positive.
    public struct Point: Hashable, Sendable {
        /// Across.
        public var x: Double
        /// Up.
        public var y: Double
        /// From here on samples are taken for positive.
        public var score: Double
    }

    /// From (0, 0) to (1, 1): x the share of negatives, y that of positives that are taken; empty for one class only.
    public var rocCurve: [Point] {
        guard positives > 0, negatives > 0 else { return [] }
        return [Point(x: 0, y: 0, score: .infinity)]
            + steps.map {
                Point(
                    x: Double($0.falsePositives) / Double(negatives), y: Double($0.truePositives) / Double(positives),
                    score: $0.score)
            }
    }

    /// The chance that a positive has a higher score than a negative, ties half; nil for one class only.
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

    /// x is recall, y precision, the highest score first; empty without positives.
    public var precisionRecallCurve: [Point] {
        guard positives > 0 else { return [] }
        return steps.map {
            Point(
                x: Double($0.truePositives) / Double(positives),
                y: Double($0.truePositives) / Double($0.truePositives + $0.falsePositives), score: $0.score)
        }
    }

    /// sum (R_n - R_{n-1}) P_n over the steps, without interpolation; nil without positives.
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
