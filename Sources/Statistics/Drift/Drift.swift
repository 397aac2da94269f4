internal import Glibc

/// Measures of drift between reference values and current values.
///
/// Every measure is `nil` if either side is empty.
public enum Drift {
    /// Returns the population stability index (PSI): the sum of (r - c) ln(r / c) over the shares of the bins.
    ///
    /// The bins follow Evidently. With more than 20 distinct reference values, they have equal width across both
    /// samples, and Sturges' rule gives their number; otherwise each value is a bin. Shares of 0 become 0.0001, or a
    /// millionth of the smallest share if that share is at most 0.0001.
    /// - Source: Evidently 0.7, `calculate_psi`; Sturges, JASA 21 (1926).
    public static func psi(reference: [Double], current: [Double]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        guard Set(reference).count > 20 else { return psi(shares: categoryShares(reference, current)) }
        let edges = sturgesEdges(reference + current)
        return psi(shares: (shares(reference, edges), shares(current, edges)))
    }

    /// Returns the PSI of categorical values, with one bin per category.
    public static func psi<Name: Hashable & Comparable>(reference: [Name], current: [Name]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        return psi(shares: categoryShares(reference, current))
    }

    /// Returns the PSI over the deciles of the reference: the sum of (c - r) ln(c / r).
    ///
    /// - Returns: `nil` if a decile is empty on either side.
    public static func psiDeciles(reference: [Double], current: [Double]) -> Double? {
        guard let (r, c) = decileShares(reference, current) else { return nil }
        var sum = 0.0
        for (was, now) in zip(r, c) {
            guard was > 0, now > 0 else { return nil }
            sum += (now - was) * log(now / was)
        }
        return sum
    }

    /// Returns the chi-squared statistic of the current counts in the deciles of the reference, with its p value.
    ///
    /// - Returns: `nil` if a decile of the reference is empty.
    public static func chiSquaredDeciles(reference: [Double], current: [Double]) -> (statistic: Double, p: Double)? {
        guard let (r, c) = decileShares(reference, current) else { return nil }
        var sum = 0.0
        for (was, now) in zip(r, c) {
            guard was > 0 else { return nil }
            sum += (now - was) * (now - was) / was
        }
        sum *= Double(current.count)
        return (sum, ChiSquaredDistribution(degrees: Double(r.count - 1)).survival(sum))
    }

    /// Returns the Jensen-Shannon distance over bins of equal width across both samples.
    ///
    /// The distance is the square root of the divergence; Sturges' rule gives the number of bins.
    /// - Parameter base: Base of the logarithm (default: e). With base 2, the distance is in [0, 1].
    /// - Source: Lin, IEEE Transactions on Information Theory 37 (1991); Endres, Schindelin, the same journal 49
    ///   (2003).
    public static func jensenShannon(reference: [Double], current: [Double], base: Double? = nil) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        let edges = sturgesEdges(reference + current)
        let distance = jensenShannon(shares: (shares(reference, edges), shares(current, edges)))
        return base.map { distance / log($0).squareRoot() } ?? distance
    }

    /// Returns the Jensen-Shannon distance of categorical values, with one bin per category.
    public static func jensenShannon<Name: Hashable & Comparable>(reference: [Name], current: [Name]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        return jensenShannon(shares: categoryShares(reference, current))
    }

    private static func jensenShannon(shares: ([Double], [Double])) -> Double {
        var sum = 0.0
        for (r, c) in zip(shares.0, shares.1) {
            let middle = (r + c) / 2
            if r > 0 { sum += r * log(r / middle) }
            if c > 0 { sum += c * log(c / middle) }
        }
        return max(0, sum / 2).squareRoot()
    }

    /// Tests whether two categorical samples have the same distribution; see ``HomogeneityTest``.
    public static func chiSquared<Name: Hashable & Comparable>(
        reference: [Name], current: [Name]
    ) -> (statistic: Double, p: Double)? {
        let (r, c) = categoryCounts(reference, current)
        return HomogeneityTest.chiSquared(r, c)
    }

    static func psi(shares: ([Double], [Double])) -> Double {
        func withoutZeros(_ shares: [Double]) -> [Double] {
            let smallest = shares.filter { $0 > 0 }.min() ?? 1
            return shares.map { $0 > 0 ? $0 : smallest <= 0.0001 ? smallest / 1e6 : 0.0001 }
        }
        return zip(withoutZeros(shares.0), withoutZeros(shares.1)).reduce(0) {
            $0 + ($1.0 - $1.1) * log($1.0 / $1.1)
        }
    }
}
