/// Wilcoxon's signed-rank test.
public enum WilcoxonTest {
    /// Returns the smaller rank sum and its two-sided p value, with zeros ranked and then dropped (Pratt's method).
    ///
    /// The p value uses the normal approximation without continuity correction.
    /// - Returns: `nil` if there are no differences, or if all are 0.
    /// - Source: Pratt, JASA 54 (1959); tie-corrected variance: Cureton, JASA 62 (1967).
    public static func pratt(_ differences: [Double]) -> (statistic: Double, p: Double)? {
        let ranks = averageRanks(differences.map { abs($0) })
        var (positive, negative) = (0.0, 0.0)
        var zeros = 0
        for (difference, rank) in zip(differences, ranks) {
            if difference > 0 {
                positive += rank
            } else if difference < 0 {
                negative += rank
            } else {
                zeros += 1
            }
        }
        let n = Double(differences.count)
        let z = Double(zeros)
        let mean = n * (n + 1) / 4 - z * (z + 1) / 4
        var variance = n * (n + 1) * (2 * n + 1) - z * (z + 1) * (2 * z + 1)
        var ties: [Double: Double] = [:]
        for (difference, rank) in zip(differences, ranks) where difference != 0 { ties[rank, default: 0] += 1 }
        // Integers sum exactly in any order.
        for count in ties.values { variance -= count * (count * count - 1) / 2 }
        guard variance > 0 else { return nil }
        let statistic = min(positive, negative)
        let score = (statistic - mean) / (variance / 24).squareRoot()
        return (statistic, min(1, 2 * NormalDistribution.standard.survival(abs(score))))
    }
}

/// Returns ranks starting at 1; equal values get their mean rank.
func averageRanks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var first = 0
    while first < order.count {
        var end = first + 1
        while end < order.count, values[order[end]] == values[order[first]] { end += 1 }
        let rank = Double(first + end + 1) / 2
        for place in first..<end { ranks[order[place]] = rank }
        first = end
    }
    return ranks
}
