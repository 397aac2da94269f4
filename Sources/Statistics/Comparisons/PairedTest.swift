/// The test reported for two runs on the same samples.
///
/// Its p value and interval agree, because the interval contains exactly the differences that the test does not reject.
public struct PairedTest: Hashable, Sendable {
    /// Kinds of tests.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// McNemar's score test for values of 0 or 1, with Tango's interval.
        case mcNemar
        /// McNemar's score test with the variance of clustered samples.
        case clusteredMcNemar
        /// Student's t test on the differences.
        case paired
        /// Student's t test on cluster sums.
        case clusteredPaired
        /// Wilson's bound on the number of deviating samples (or clusters), if all observed differences are equal and
        /// values are in [0, 1].
        case bound
        /// The sign test, if all samples (or clusters) differ by the same amount and values are unbounded.
        case sign

        /// Name on screens and in reports.
        public var name: String {
            switch self {
            case .mcNemar: "McNemar's test"
            case .clusteredMcNemar: "McNemar's test, clustered"
            case .paired: "paired t test"
            case .clusteredPaired: "paired t test, clustered"
            case .bound: "Wilson's bound"
            case .sign: "sign test"
            }
        }
    }

    /// Test that fits the values.
    public let kind: Kind
    /// Mean of B - A with its standard error, which is clustered if the samples are in clusters.
    public let estimate: MeanEstimate
    /// Two-sided p value for no difference; `nil` if the data are insufficient.
    public let p: Double?
    private let procedure: Procedure

    private enum Procedure: Hashable, Sendable {
        case shares(PairedShares)
        case student
        case bound(units: Int)
        case sign
        case none
    }

    /// Minimum number of equal differences that allows a conclusion about unbounded values.
    public static let minimumEqualDifferences = 20

    /// Creates the test that fits the values.
    ///
    /// - Parameter clusters: Cluster of each sample; `nil` if samples are independent.
    /// - Returns: `nil` if there are no samples.
    public init?(a: [Double], b: [Double], clusters: [Int]? = nil) {
        guard let estimate = PairedDifference.estimate(a: a, b: b, clusters: clusters) else { return nil }
        self.estimate = estimate
        let isBinary = a.allSatisfy { $0 == 0 || $0 == 1 } && b.allSatisfy { $0 == 0 || $0 == 1 }
        let isShare = a.allSatisfy { $0 >= 0 && $0 <= 1 } && b.allSatisfy { $0 >= 0 && $0 <= 1 }
        let differences = zip(a, b).map { $1 - $0 }
        let isUnchanged = isShare && differences.allSatisfy { $0 == 0 }
        // Differences in the last bits come from the order of summation, not from the values.
        let size = zip(a, b).reduce(0) { max($0, abs($1.0), abs($1.1)) }
        let (mean, units) = (estimate.mean, estimate.clusters ?? estimate.count)
        guard units > 1, let error = estimate.standardError else {
            (kind, p, procedure) = (clusters == nil ? .paired : .clusteredPaired, nil, .none)
            return
        }
        let shares =
            isBinary || isUnchanged
            ? clusters.map { PairedShares(differences: differences, clusters: $0) }
                ?? PairedShares(
                    fixed: differences.count { $0 > 0 }, broken: differences.count { $0 < 0 }, count: estimate.count)
            : nil
        if let shares {
            kind = clusters == nil ? .mcNemar : .clusteredMcNemar
            (p, procedure) = (shares.p, .shares(shares))
        } else if error > 1e-12 * size {
            kind = clusters == nil ? .paired : .clusteredPaired
            (p, procedure) = (estimate.pValue(), .student)
        } else if isShare {
            // The bound reaches 0 at z² = n |difference|.
            let reach = (Double(units) * abs(mean)).squareRoot()
            kind = .bound
            (p, procedure) = (min(1, 2 * NormalDistribution.standard.survival(reach)), .bound(units: units))
        } else {
            kind = .sign
            let isEnough = units >= Self.minimumEqualDifferences
            p = isEnough ? (mean == 0 ? 1 : McNemarTest(fixed: units, broken: 0).exactP) : nil
            procedure = isEnough ? .sign : .none
        }
    }

    /// Returns the differences that the test does not reject; `nil` if the data are insufficient.
    public func interval(level: Double = 0.95) -> Interval? {
        let mean = estimate.mean
        switch procedure {
        case .shares(let shares): return shares.interval(level: level)
        case .student: return estimate.interval(level: level)
        case .bound(let units):
            // None of the n units deviated. By Wilson's bound for 0 of n, up to z² / (n + z²) of all units may deviate, each
            // by anything from -1 to 1.
            let other = ProportionInterval.wilson(hits: 0, count: units, level: level)?.upper ?? 1
            return Interval(lower: mean - other * (1 + mean), upper: mean + other * (1 - mean), level: level)
        case .sign:
            return (p ?? 1) < 1 - level || mean == 0 ? Interval(lower: mean, upper: mean, level: level) : nil
        case .none: return nil
        }
    }

    /// Returns the degrees of freedom and the standard error for a power analysis.
    ///
    /// The standard error is half the interval's width divided by the quantile.
    public func error(level: Double = 0.95) -> (standardError: Double, degrees: Double)? {
        switch procedure {
        case .student: return estimate.standardError.map { ($0, estimate.degrees ?? .infinity) }
        case .shares, .bound:
            let z = -NormalDistribution.standard.quantile((1 - level) / 2)
            return interval(level: level).map { ($0.width / 2 / z, .infinity) }
        case .sign, .none: return nil
        }
    }
}
