/// The mean of paired differences B - A.
public enum PairedDifference {
    /// Returns the mean of d_i = b_i - a_i with the plain or clustered standard error of ``MeanEstimate``.
    ///
    /// - Parameter clusters: Cluster of each pair; `nil` if pairs are independent.
    /// - Returns: `nil` if there are no pairs.
    /// - Source: Miller, Adding error bars to evals, arXiv 2411.00640, section 4.
    public static func estimate(a: [Double], b: [Double], clusters: [Int]? = nil) -> MeanEstimate? {
        let differences = zip(a, b).map { $1 - $0 }
        guard let clusters else { return MeanEstimate(of: differences) }
        return MeanEstimate(of: differences, clusters: clusters)
    }
}
