internal import Glibc

/// How far values have moved from a reference. nil where one side has no values.
public enum Drift {
    /// sum (r - c) ln(r / c) over shares of bins of equal width across both samples together.
    ///
    /// As Evidently has it: Sturges' number of bins above 20 distinct reference values, one bin a value otherwise; shares
    /// of 0 become 0.0001, or a millionth of the smallest share where that is smaller.
    /// - Source: Evidently 0.7, `calculate_psi`; Sturges, JASA 21 (1926).
    public static func psi(reference: [Double], current: [Double]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        guard Set(reference).count > 20 else { return psi(shares: categoryShares(reference, current)) }
        let edges = sturgesEdges(reference + current)
        return psi(shares: (shares(reference, edges), shares(current, edges)))
    }

    /// As above for values that are names.
    public static func psi<Name: Hashable & Comparable>(reference: [Name], current: [Name]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        return psi(shares: categoryShares(reference, current))
    }

    /// sum (c - r) ln(c / r) over the tenths of the reference; nil where a tenth is empty on one side.
    public static func psiDeciles(reference: [Double], current: [Double]) -> Double? {
        guard let (r, c) = decileShares(reference, current) else { return nil }
        var sum = 0.0
        for (was, now) in zip(r, c) {
            guard was > 0, now > 0 else { return nil }
            sum += (now - was) * log(now / was)
        }
        return sum
    }

    /// Chi-squared of the current counts in the tenths of the reference; nil where a tenth of that is empty.
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

    /// The distance of Jensen and Shannon, a square root, over Sturges' bins across both samples.
    ///
    /// - Parameter base: of the logarithm; with 2 it lies in [0, 1]. nil takes e.
    /// - Source: Lin, IEEE Transactions on Information Theory 37 (1991); Endres, Schindelin, same 49 (2003).
    public static func jensenShannon(reference: [Double], current: [Double], base: Double? = nil) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        let edges = sturgesEdges(reference + current)
        let distance = jensenShannon(shares: (shares(reference, edges), shares(current, edges)))
        return base.map { distance / log($0).squareRoot() } ?? distance
    }

    /// As above for values that are names.
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

    /// Whether both samples of names may have the same shares: see `HomogeneityTest`.
    public static func chiSquared<Name: Hashable & Comparable>(
        reference: [Name], current: [Name]
    ) -> (statistic: Double, p: Double)? {
        let (r, c) = categoryCounts(reference, current)
        return HomogeneityTest.chiSquared(r, c)
    }

    static func psi(shares: ([Double], [Double])) -> Double {
        func filled(_ shares: [Double]) -> [Double] {
            let least = shares.filter { $0 > 0 }.min() ?? 1
            return shares.map { $0 > 0 ? $0 : least <= 0.0001 ? least / 1e6 : 0.0001 }
        }
        return zip(filled(shares.0), filled(shares.1)).reduce(0) { $0 + ($1.0 - $1.1) * log($1.0 / $1.1) }
    }
}
