/// The mean of the differences B - A of pairs.
public enum PairedDifference {
    /// d_i = b_i - a_i, with the plain or the clustered standard error of `MeanEstimate`.
    ///
    /// - Parameter clusters: the cluster of each pair; nil where each stands alone.
    /// - Source: Miller, Adding error bars to evals, arXiv 2411.00640, section 4.
    public static func estimate(a: [Double], b: [Double], clusters: [Int]? = nil) -> MeanEstimate? {
        let differences = zip(a, b).map { $1 - $0 }
        guard let clusters else { return MeanEstimate(of: differences) }
        return MeanEstimate(of: differences, clusters: clusters)
    }
}
