/// The difference between the means of two independent samples, by Welch's t test.
///
/// mean_B - mean_A with standard error sqrt(se_A² + se_B²) and the degrees of freedom of Welch and Satterthwaite,
/// (u + v)² / (u²/df_A + v²/df_B) with u = se_A² and v = se_B².
/// - Source: Welch, Biometrika 34 (1947).
public struct UnpairedDifference: Hashable, Sendable {
    /// Difference between the means with its standard error.
    public var estimate: MeanEstimate

    /// Creates the difference B - A of two means.
    ///
    /// - Parameters:
    ///   - clustersA: Cluster of each value of A; `nil` if the values are independent.
    ///   - clustersB: Cluster of each value of B; `nil` if the values are independent.
    /// - Returns: `nil` if a sample is empty.
    public init?(a: [Double], clustersA: [Int]? = nil, b: [Double], clustersB: [Int]? = nil) {
        func mean(_ values: [Double], _ clusters: [Int]?) -> MeanEstimate? {
            clusters.map { MeanEstimate(of: values, clusters: $0) } ?? MeanEstimate(of: values)
        }
        guard let first = mean(a, clustersA), let second = mean(b, clustersB) else { return nil }
        var standardError: Double?
        var degrees: Double?
        if let errorA = first.standardError, let errorB = second.standardError, let freedomA = first.degrees,
            let freedomB = second.degrees
        {
            let (u, v) = (errorA * errorA, errorB * errorB)
            standardError = (u + v).squareRoot()
            let denominator = u * u / freedomA + v * v / freedomB
            degrees = denominator > 0 ? (u + v) * (u + v) / denominator : freedomA + freedomB
        }
        let clusters = (first.clusters ?? first.count) + (second.clusters ?? second.count)
        estimate = MeanEstimate(
            mean: second.mean - first.mean, standardError: standardError, degrees: degrees,
            count: first.count + second.count,
            clusters: first.clusters == nil && second.clusters == nil ? nil : clusters)
    }

    /// Mean of B - mean of A.
    public var difference: Double { estimate.mean }
    /// Standard error of the difference.
    public var standardError: Double? { estimate.standardError }
    /// Returns the difference ± t SE.
    public func interval(level: Double = 0.95) -> Interval? { estimate.interval(level: level) }
    /// Returns the two-sided p value for no difference.
    public func pValue() -> Double? { estimate.pValue() }
}
