/// The difference of the means of two samples that have nothing to do with each other.
///
/// mean_B - mean_A, standard error sqrt(se_A² + se_B²), degrees of freedom of Welch and Satterthwaite,
/// (u + v)² / (u²/df_A + v²/df_B) with u = se_A² and v = se_B².
/// - Source: Welch, Biometrika 34 (1947).
public struct UnpairedDifference: Hashable, Sendable {
    /// The difference with its standard error.
    public var estimate: MeanEstimate

    /// - Parameters:
    ///   - clustersA: the cluster of each value; nil where each stands alone.
    ///   - clustersB: likewise.
    /// - Returns: nil where one of them is empty.
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
            let below = u * u / freedomA + v * v / freedomB
            degrees = below > 0 ? (u + v) * (u + v) / below : freedomA + freedomB
        }
        let clusters = (first.clusters ?? first.count) + (second.clusters ?? second.count)
        estimate = MeanEstimate(
            mean: second.mean - first.mean, standardError: standardError, degrees: degrees,
            count: first.count + second.count,
            clusters: first.clusters == nil && second.clusters == nil ? nil : clusters)
    }

    /// Mean of B - mean of A.
    public var difference: Double { estimate.mean }
    /// Of the difference.
    public var standardError: Double? { estimate.standardError }
    /// difference ± t SE.
    public func interval(level: Double = 0.95) -> Interval? { estimate.interval(level: level) }
    /// That of no difference, both sides.
    public func pValue() -> Double? { estimate.pValue() }
}
