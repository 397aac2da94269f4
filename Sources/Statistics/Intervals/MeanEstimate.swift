/// A mean with its standard error.
public struct MeanEstimate: Hashable, Sendable {
    /// Mean of the values.
    public var mean: Double
    /// Standard error of the mean; `nil` for a single value or cluster.
    public var standardError: Double?
    /// Degrees of freedom of the standard error.
    public var degrees: Double?
    /// Effective degrees of freedom, estimated from the sums of the clusters: fewer than `degrees` if a few clusters
    /// contribute most of the deviation. Equals `degrees` for independent values.
    var spreadDegrees: Double?
    /// Sizes and hits of the clusters; `nil` if values are independent.
    var shape: ClusterShape?
    /// Number of values.
    public var count: Int
    /// Number of clusters; `nil` if values are independent.
    public var clusters: Int?

    /// Creates an estimate from known figures.
    public init(mean: Double, standardError: Double?, degrees: Double?, count: Int, clusters: Int? = nil) {
        self.mean = mean
        self.standardError = standardError
        self.degrees = degrees
        spreadDegrees = degrees
        self.count = count
        self.clusters = clusters
    }

    /// Creates an estimate from independent values.
    ///
    /// The standard error is s / sqrt n with s² = sum (x - mean)² / (n - 1).
    /// - Returns: `nil` if there are no values.
    public init?(of values: [Double]) {
        guard !values.isEmpty else { return nil }
        let n = Double(values.count)
        mean = values.reduce(0, +) / n
        count = values.count
        clusters = nil
        guard values.count > 1 else {
            standardError = nil
            degrees = nil
            spreadDegrees = nil
            return
        }
        var squares = 0.0
        for value in values { squares += (value - mean) * (value - mean) }
        standardError = (squares / (n - 1) / n).squareRoot()
        degrees = n - 1
        spreadDegrees = n - 1
    }

    /// Creates an estimate from values in clusters.
    ///
    /// The standard error is sqrt(G/(G-1) sum over clusters (sum over the cluster of (x - mean))²) / n, with G - 1
    /// degrees of freedom.
    /// - Parameters:
    ///   - clusters: Cluster of each value; see ``clusterNumbers(_:)``.
    ///   - isFinite: Whether to apply the factor G/(G-1), the correction for a finite number of clusters.
    /// - Returns: `nil` if there are no values.
    /// - Source: Liang, Zeger, Biometrika 73 (1986); for evaluations: Miller, arXiv 2411.00640, section 2.2.
    public init?(of values: [Double], clusters numbers: [Int], isFinite: Bool = true) {
        let size = min(values.count, numbers.count)
        guard size > 0 else { return nil }
        let n = Double(size)
        var sum = 0.0
        for place in 0..<size { sum += values[place] }
        mean = sum / n
        count = size
        var sums = ClusterSums(numbers.prefix(size))
        for place in 0..<size { sums.add(values[place] - mean, at: place) }
        let groups = sums.totals.count
        clusters = groups
        shape = ClusterShape(values.prefix(size), sums)
        guard groups > 1 else {
            standardError = nil
            degrees = nil
            spreadDegrees = nil
            return
        }
        var squares = 0.0
        for total in sums.totals { squares += total * total }
        spreadDegrees = Self.spreadDegrees(sums.totals, squares)
        if isFinite { squares *= Double(groups) / Double(groups - 1) }
        standardError = squares.squareRoot() / n
        degrees = Double(groups - 1)
    }

    /// Returns the effective degrees of freedom of the sums r of G clusters: 2 G / (k - (G - 3) / (G - 1)), clamped to
    /// 1 through G - 1, where k = G sum r⁴ / (sum r²)² is their kurtosis.
    ///
    /// A chi-squared distribution with these degrees of freedom, scaled to the mean s², has the variance of the
    /// estimate s², which is s⁴ (2 / (G - 1) + (k - 3) / G).
    /// - Source: Satterthwaite, Biometrics Bulletin 2 (1946); for the variance: Kenney, Keeping, Mathematics of
    ///   Statistics 2 (1951), section 7.12.
    private static func spreadDegrees(_ totals: [Double], _ squares: Double) -> Double {
        let groups = Double(totals.count)
        let kurtosis = groups * totals.reduce(0) { $0 + $1 * $1 * $1 * $1 } / (squares * squares)
        let degrees = 2 * groups / (kurtosis - (groups - 3) / (groups - 1))
        // The kurtosis is 1 for sums of equal size, and NaN if all sums are 0.
        return degrees >= 1 ? min(degrees, groups - 1) : kurtosis.isNaN || degrees <= 0 ? groups - 1 : 1
    }

    /// Returns mean ± t SE; `nil` if the standard error is unknown.
    ///
    /// Use this interval for differences, which can have either sign. For the mean of scores, use ``interval(of:level:)``.
    package func interval(level: Double = 0.95) -> Interval? {
        guard let standardError, let degrees else { return nil }
        guard standardError > 0 else { return Interval(lower: mean, upper: mean, level: level) }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        return Interval(lower: mean - t * standardError, upper: mean + t * standardError, level: level)
    }

    /// Returns the two-sided p value for a true mean of `value`; `nil` if the standard error is unknown.
    public func pValue(against value: Double = 0) -> Double? {
        guard let standardError, let degrees else { return nil }
        guard standardError > 0 else { return mean == value ? 1 : 0 }
        return min(1, 2 * StudentDistribution(degrees: degrees).survival(abs(mean - value) / standardError))
    }
}
