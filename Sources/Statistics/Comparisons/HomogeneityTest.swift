/// A test of whether two categorical samples have the same distribution.
public enum HomogeneityTest {
    /// Returns Pearson's chi-squared statistic for two lists of counts, without continuity correction, and its p value.
    ///
    /// For two categories, the statistic is the square of the two-proportion z statistic.
    /// - Parameters:
    ///   - a: Counts per category, in the same order as `b`. Categories missing at the end count as 0.
    ///   - b: Counts per category, in the same order as `a`. Categories missing at the end count as 0.
    /// - Returns: `nil` if a sample is empty or only one category occurs.
    /// - Source: Pearson, Philosophical Magazine 50 (1900).
    public static func chiSquared(_ a: [Int], _ b: [Int]) -> (statistic: Double, p: Double)? {
        var rows: [(Double, Double)] = []
        var totals = (0.0, 0.0)
        for place in 0..<max(a.count, b.count) {
            let row = (place < a.count ? Double(a[place]) : 0, place < b.count ? Double(b[place]) : 0)
            if row.0 + row.1 > 0 { rows.append(row) }
            totals.0 += row.0
            totals.1 += row.1
        }
        guard rows.count > 1, totals.0 > 0, totals.1 > 0 else { return nil }
        var sum = 0.0
        for (was, now) in rows {
            let share = (was + now) / (totals.0 + totals.1)
            for (seen, total) in [(was, totals.0), (now, totals.1)] {
                let gap = seen - share * total
                sum += gap * gap / (share * total)
            }
        }
        return (sum, ChiSquaredDistribution(degrees: Double(rows.count - 1)).survival(sum))
    }
}
