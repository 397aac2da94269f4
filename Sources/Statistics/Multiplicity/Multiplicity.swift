/// p values of several comparisons made at once, so that a level means what it says.
public enum Multiplicity {
    /// How p values are raised.
    public enum Adjustment: String, Hashable, Sendable, CaseIterable {
        /// Keeps the chance of any false finding.
        case holm
        /// Keeps the share of false ones among the findings.
        case benjaminiHochberg
    }

    /// Probabilities of error adjusted for their number.
    public static func adjusted(_ p: [Double], by adjustment: Adjustment) -> [Double] {
        switch adjustment {
        case .holm: holm(p)
        case .benjaminiHochberg: benjaminiHochberg(p)
        }
    }

    /// The factor for each p value, at least 1; products may exceed 1.
    ///
    /// An interval of level 1 - alpha / factor leaves 0 out exactly where the adjusted p value is below alpha.
    public static func factors(_ p: [Double], by adjustment: Adjustment) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        let limited = adjusted(p, by: adjustment)
        var factors = p
        var least = 0.0
        for (rank, place) in order.enumerated() {
            let own = adjustment == .holm ? p.count - rank : p.count / (rank + 1)
            least = max(least, p[place] * Double(p.count - rank))
            let product = adjustment == .holm ? least : limited[place]
            factors[place] = max(1, p[place] > 0 ? product / p[place] : Double(own))
        }
        return factors
    }

    /// The i-th smallest of m times m - i + 1, never below one before it, at most 1.
    ///
    /// Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    public static func holm(_ p: [Double]) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        var adjusted = p
        var least = 0.0
        for (rank, place) in order.enumerated() {
            least = max(least, p[place] * Double(p.count - rank))
            adjusted[place] = min(1, least)
        }
        return adjusted
    }

    /// The i-th smallest of m times m / i, never above one after it.
    ///
    /// Source: Benjamini, Hochberg, JRSS B 57 (1995).
    public static func benjaminiHochberg(_ p: [Double]) -> [Double] {
        let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
        var adjusted = p
        var most = 1.0
        for (rank, place) in order.enumerated().reversed() {
            most = min(most, p[place] * Double(p.count) / Double(rank + 1))
            adjusted[place] = most
        }
        return adjusted
    }
}
