internal import Glibc

/// Whether B is better than A, looked at after every sample, with a level that holds however often one looks.
///
/// A gambler without foresight bets on the differences d in [-1, 1]: with a mean of m the fortune
/// K_l(m) = product over i of (1 - l + l (1 + d_i) / (1 + m)) grows on average not at all, whatever the share l in (0, 1).
/// Nor does the mean of such fortunes over several l. By Ville's inequality it reaches 2 / alpha with probability of at
/// most alpha / 2; the same with -d for the other side. Nothing is assumed of the differences but their bounds and that
/// each has the same mean, given those before it: samples come in random order, those of one cluster as one mean.
///
/// K falls as m grows, so the means that no gambler has refuted are an interval: a confidence sequence.
/// - Source: Waudby-Smith, Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024), sections
///   4 and 5; Ville (1939) for the inequality; the mixture over shares instead of a guess of the best one is that of
///   Orabona and Jun, arXiv 2110.14099.
public struct SequentialComparison: Hashable, Sendable {
    /// What can be said by now.
    public enum Decision: String, Hashable, Sendable, CaseIterable {
        case undecided
        /// B is better.
        case better
        /// B is worse.
        case worse
    }

    /// How often it may decide where there is no difference.
    public let alpha: Double
    public private(set) var count = 0
    public private(set) var sum = 0.0
    /// Once it is made it stays.
    public private(set) var decision = Decision.undecided
    /// The largest fortunes of both sides so far, at a mean of 0.
    private var best = (up: 1.0, down: 1.0)
    private var up = [Double](repeating: 1, count: shares.count)
    private var down = [Double](repeating: 1, count: shares.count)
    /// How often each value was met; what the interval is made of.
    private var values: [Double: Int] = [:]

    /// - Parameter alpha: the chance that is granted to a wrong decision, in (0, 1).
    public init(alpha: Double = 0.05) { self.alpha = min(max(alpha, 1e-12), 0.999_999) }

    /// Takes one more difference B - A, so that more is better; values beyond [-1, 1] count as the bound, NaN not at all.
    public mutating func add(_ difference: Double) {
        guard !difference.isNaN else { return }
        let value = min(max(difference, -1), 1) + 0
        count += 1
        sum += value
        values[value == 0 ? 0 : value, default: 0] += 1
        bet(value)
    }

    /// The mean so far; nil before the first.
    public var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// A p value that may be looked at after every sample.
    public var p: Double { min(1, 2 / max(best.up, best.down)) }

    /// The means that are not refuted by now, at 1 - alpha for all times at once. O(distinct values).
    public func interval() -> Interval {
        let counted = values.sorted { $0.key < $1.key }.map { (value: $0.key, count: Double($0.value)) }
        let limit = log(2 / alpha)
        let middle = mean ?? 0
        // Both functions rise with their argument: evidence against a mean grows with its distance.
        let lower = -increasingRoot(-middle, 1) { Self.evidence(counted, against: -$0, sign: 1) - limit }
        let upper = increasingRoot(middle, 1) { Self.evidence(counted, against: $0, sign: -1) - limit }
        return Interval(lower: min(lower, middle), upper: max(upper, middle), level: 1 - alpha)
    }

    /// The logarithm of the mean fortune of those who bet that the mean is above (sign 1) or below (-1) `mean`.
    private static func evidence(
        _ values: [(value: Double, count: Double)], against mean: Double, sign: Double
    ) -> Double {
        let room = 1 + sign * mean
        guard room > 0 else { return .infinity }
        var logs: [Double] = []
        for share in shares {
            var fortune = 0.0
            for (value, count) in values { fortune += count * log(1 - share + share * (1 + sign * value) / room) }
            logs.append(fortune)
        }
        let most = logs.max() ?? 0
        return most + log(logs.reduce(0) { $0 + exp($1 - most) } / Double(logs.count))
    }

    private mutating func bet(_ value: Double) {
        var (sumUp, sumDown) = (0.0, 0.0)
        for (place, share) in Self.shares.enumerated() {
            // Far beyond any threshold the exact fortune says nothing more.
            let won = min(up[place] * (1 + share * value), 1e300)
            let lost = min(down[place] * (1 - share * value), 1e300)
            up[place] = won
            down[place] = lost
            sumUp += won
            sumDown += lost
        }
        best.up = max(best.up, sumUp / Double(Self.shares.count))
        best.down = max(best.down, sumDown / Double(Self.shares.count))
        guard decision == .undecided else { return }
        if best.up >= 2 / alpha { decision = .better }
        if best.down >= 2 / alpha { decision = .worse }
    }

    /// The best share is about mean / mean square of the differences; a ladder with a factor of 1.6 comes near to any.
    private static let shares: [Double] = (0..<10).map { 0.9 * pow(1.6, -Double($0)) }

    /// Whether both have seen the same.
    public static func == (a: Self, b: Self) -> Bool { a.alpha == b.alpha && a.values == b.values && a.up == b.up }
    /// Of what both have seen.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(sum)
    }
}
