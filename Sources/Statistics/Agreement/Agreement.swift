/// Measures of agreement between raters.
///
/// Measures that correct for chance are `nil` if chance alone explains all agreement.
public enum Agreement {
    /// Methods of weighting disagreements.
    public enum Weights: String, Hashable, Sendable, CaseIterable {
        /// All disagreements have equal weight.
        case none
        /// The weight is the number of steps between the categories.
        case linear
        /// The weight is the squared number of steps between the categories.
        case quadratic
    }

    /// Returns the share of items with equal labels; `nil` if there are no items.
    public static func percent<Label: Equatable>(_ a: [Label], _ b: [Label]) -> Double? {
        let count = min(a.count, b.count)
        return count > 0 ? Double(zip(a, b).count { $0 == $1 }) / Double(count) : nil
    }

    /// Returns the share of items whose label differs between two attempts; `nil` if there are no items.
    public static func flipRate<Label: Equatable>(_ a: [Label], _ b: [Label]) -> Double? {
        let count = min(a.count, b.count)
        return count > 0 ? Double(zip(a, b).count { $0 != $1 }) / Double(count) : nil
    }

    /// Returns Cohen's kappa for two raters: 1 - (sum w_ij n_ij) / (sum w_ij e_ij), with e_ij expected by chance.
    ///
    /// The categories are the labels that occur, sorted; weights depend on the number of steps between them.
    /// - Source: Cohen, Educational and Psychological Measurement 20 (1960); weights: Psychological Bulletin 70 (1968).
    public static func cohenKappa<Label: Hashable & Comparable & Sendable>(
        _ a: [Label], _ b: [Label], weights: Weights = .none
    ) -> Double? {
        let matrix = ConfusionMatrix(truth: a, predicted: b)
        guard matrix.count > 0 else { return nil }
        let (rows, columns) = (matrix.truthTotals, matrix.predictedTotals)
        let n = Double(matrix.count)
        var (seen, expected) = (0.0, 0.0)
        for i in rows.indices {
            for j in columns.indices where i != j {
                let steps = Double(abs(i - j))
                let weight =
                    switch weights {
                    case .none: 1.0
                    case .linear: steps
                    case .quadratic: steps * steps
                    }
                seen += weight * Double(matrix.counts[i][j])
                expected += weight * Double(rows[i]) * Double(columns[j]) / n
            }
        }
        return expected > 0 ? 1 - seen / expected : nil
    }

    /// Returns Fleiss' kappa for several raters, each of whom rated every item.
    ///
    /// Used only for comparison with reference implementations. Reports use Krippendorff's alpha, which allows
    /// missing ratings.
    /// - Parameter ratings: Labels as [rater][item].
    /// - Source: Fleiss, Psychological Bulletin 76 (1971).
    public static func fleissKappa<Label: Hashable>(_ ratings: [[Label]]) -> Double? {
        let items = ratings.map(\.count).min() ?? 0
        let raters = Double(ratings.count)
        guard items > 0, ratings.count > 1 else { return nil }
        var totals: [Label: Double] = [:]
        var agreed = 0.0
        for item in 0..<items {
            var counts: [Label: Double] = [:]
            for rater in ratings { counts[rater[item], default: 0] += 1 }
            for (label, count) in counts {
                totals[label, default: 0] += count
                agreed += count * (count - 1)
            }
        }
        let ratingsGiven = Double(items) * raters
        let mean = agreed / (ratingsGiven * (raters - 1))
        // Squares of integers sum exactly in any order.
        let chance = totals.values.reduce(0) { $0 + $1 * $1 } / (ratingsGiven * ratingsGiven)
        return chance < 1 ? (mean - chance) / (1 - chance) : nil
    }
}
