internal import Glibc

/// A sequential test of whether B is better than A, whose level holds no matter how often its decision is checked.
///
/// A gambler without foresight bets on the differences d in [-1, 1]. If their mean is m, the fortune
/// K_l(m) = product over i of (1 - l + l (1 + d_i) / (1 + m)) does not grow on average, for any share l in (0, 1); nor
/// does the mean of such fortunes over several l. By Ville's inequality, that mean reaches 2 / alpha with a probability
/// of at most alpha / 2. The same holds with -d for the other side. The test assumes only that the differences are
/// bounded and that each has the same mean given all earlier ones: add samples in random order, and each cluster as one
/// mean.
///
/// K falls as m grows, so the means that are not rejected form an interval: a confidence sequence.
/// - Source: Waudby-Smith, Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024), sections
///   4 and 5; Ville (1939) for the inequality; for the mixture over shares in place of an estimate of the best share:
///   Orabona, Jun, arXiv 2110.14099.
public struct SequentialComparison: Hashable, Sendable {
    /// Decisions of the test.
    public enum Decision: String, Hashable, Sendable, CaseIterable {
        /// No decision yet.
        case undecided
        /// B is better.
        case better
        /// B is worse.
        case worse
    }

    /// Maximum probability of a decision if there is no difference.
    public let alpha: Double
    /// Number of differences added.
    public private(set) var count = 0
    /// Sum of the differences, each clamped to [-1, 1].
    public private(set) var sum = 0.0
    /// Current decision. Once made, it does not change.
    public private(set) var decision = Decision.undecided
    /// Largest fortune of each side so far, at a mean of 0.
    private var best = (up: 1.0, down: 1.0)
    private var up = [Double](repeating: 1, count: shares.count)
    private var down = [Double](repeating: 1, count: shares.count)
    /// Number of times that each difference was added.
    private var values: [Double: Int] = [:]

    /// Creates a test without samples.
    ///
    /// - Parameter alpha: Maximum probability of a wrong decision, in (0, 1).
    public init(alpha: Double = 0.05) { self.alpha = min(max(alpha, 1e-12), 0.999_999) }

    /// Adds a difference B - A, positive if B is better.
    ///
    /// Differences outside [-1, 1] are clamped; NaN is ignored.
    public mutating func add(_ difference: Double) {
        guard !difference.isNaN else { return }
        let value = min(max(difference, -1), 1) + 0
        count += 1
        sum += value
        values[value == 0 ? 0 : value, default: 0] += 1
        bet(value)
    }

    /// Mean difference; `nil` if there are none.
    public var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// p value that is valid after every sample.
    public var p: Double { min(1, 2 / max(best.up, best.down)) }

    /// Returns the means that are not rejected, with confidence 1 - alpha at all times simultaneously.
    ///
    /// - Complexity: O(distinct values).
    public func interval() -> Interval {
        let counted = values.sorted { $0.key < $1.key }.map { (value: $0.key, count: Double($0.value)) }
        let limit = log(2 / alpha)
        let middle = mean ?? 0
        // Both functions increase, because evidence against a mean grows with its distance.
        let lower = -increasingRoot(-middle, 1) { Self.evidence(counted, against: -$0, sign: 1) - limit }
        let upper = increasingRoot(middle, 1) { Self.evidence(counted, against: $0, sign: -1) - limit }
        return Interval(lower: min(lower, middle), upper: max(upper, middle), level: 1 - alpha)
    }

    /// Returns the logarithm of the mean fortune from bets that the mean is above (sign 1) or below (sign -1) `mean`.
    private static func evidence(
        _ values: [(value: Double, count: Double)], against mean: Double, sign: Double
    ) -> Double {
        let scale = 1 + sign * mean
        guard scale > 0 else { return .infinity }
        var logs: [Double] = []
        for share in shares {
            var fortune = 0.0
            for (value, count) in values { fortune += count * log(1 - share + share * (1 + sign * value) / scale) }
            logs.append(fortune)
        }
        let largest = logs.max() ?? 0
        return largest + log(logs.reduce(0) { $0 + exp($1 - largest) } / Double(logs.count))
    }

    private mutating func bet(_ value: Double) {
        var (sumUp, sumDown) = (0.0, 0.0)
        for (place, share) in Self.shares.enumerated() {
            // Far above any threshold, the exact fortune does not matter.
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

    /// Shares that the gambler bets, 1.6 times apart. The best share is about the mean of the differences divided by
    /// their mean square; the list contains a share close to it.
    private static let shares: [Double] = (0..<10).map { 0.9 * pow(1.6, -Double($0)) }

    public static func == (a: Self, b: Self) -> Bool { a.alpha == b.alpha && a.values == b.values && a.up == b.up }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(sum)
    }
}
