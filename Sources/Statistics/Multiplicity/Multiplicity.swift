/// Adjustments of p values for multiple comparisons.
public enum Multiplicity {
    /// Methods of adjusting p values.
    public enum Adjustment: String, Hashable, Sendable, CaseIterable {
        /// Holm's method, which controls the probability of any false positive.
        case holm
        /// The method of Benjamini and Hochberg, which controls the false discovery rate: the expected fraction of false
        /// positives among the significant results.
        case benjaminiHochberg
    }

    /// Returns p values adjusted for the number of comparisons.
    public static func adjusted(_ p: [Double], by adjustment: Adjustment) -> [Double] {
        switch adjustment {
        case .holm: holm(p)
        case .benjaminiHochberg: benjaminiHochberg(p)
        }
    }

    /// Returns the factor for each p value, at least 1; products may exceed 1.
    ///
    /// An interval of level 1 - alpha / factor excludes 0 if and only if the adjusted p value is below alpha.
    public static func factors(_ p: [Double], by adjustment: Adjustment) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        let limited = adjusted(p, by: adjustment)
        var factors = p
        var largest = 0.0
        for (rank, place) in order.enumerated() {
            let multiplier = adjustment == .holm ? p.count - rank : p.count / (rank + 1)
            largest = max(largest, p[place] * Double(p.count - rank))
            let product = adjustment == .holm ? largest : limited[place]
            factors[place] = max(1, p[place] > 0 ? product / p[place] : Double(multiplier))
        }
        return factors
    }

    /// Returns p values adjusted by Holm's method.
    ///
    /// The i-th smallest of m p values is multiplied by m - i + 1, raised to the previous adjusted value if that is
    /// larger, and limited to 1.
    ///
    /// Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    public static func holm(_ p: [Double]) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        var adjusted = p
        var largest = 0.0
        for (rank, place) in order.enumerated() {
            largest = max(largest, p[place] * Double(p.count - rank))
            adjusted[place] = min(1, largest)
        }
        return adjusted
    }

    /// Returns p values adjusted by the method of Benjamini and Hochberg.
    ///
    /// The i-th smallest of m p values is multiplied by m / i, and lowered to the next adjusted value if that is smaller.
    ///
    /// Source: Benjamini, Hochberg, JRSS B 57 (1995).
    public static func benjaminiHochberg(_ p: [Double]) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        var adjusted = p
        var smallest = 1.0
        for (rank, place) in order.enumerated().reversed() {
            smallest = min(smallest, p[place] * Double(p.count) / Double(rank + 1))
            adjusted[place] = smallest
        }
        return adjusted
    }
}
