/// A mean and how sure it is.
public struct MeanEstimate: Hashable, Sendable {
    /// The mean.
    public var mean: Double
    /// nil where it cannot be told: one value, one cluster.
    public var standardError: Double?
    /// Degrees of freedom of the standard error.
    public var degrees: Double?
    /// The degrees of freedom that clusters tell of themselves: as many as their sums spread like those of a normal
    /// distribution, fewer where a few clusters hold most of the deviation; `degrees` where values stand alone.
    var spreadDegrees: Double?
    /// How values divide into clusters; nil if values are independent.
    var shape: ClusterShape?
    /// How many values it is the mean of.
    public var count: Int
    /// nil where each value stands alone.
    public var clusters: Int?

    /// An estimate made elsewhere.
    public init(mean: Double, standardError: Double?, degrees: Double?, count: Int, clusters: Int? = nil) {
        self.mean = mean
        self.standardError = standardError
        self.degrees = degrees
        spreadDegrees = degrees
        self.count = count
        self.clusters = clusters
    }

    /// The mean of values that stand alone: standard error s / sqrt n with s² = sum (x - mean)² / (n - 1).
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

    /// The mean of values that hang together in clusters.
    ///
    /// sqrt(G/(G-1) sum over clusters (sum over the cluster of (x - mean))²) / n, with G - 1 degrees of freedom.
    /// - Parameters:
    ///   - clusters: the cluster of each value; see `clusterNumbers`.
    ///   - isFinite: whether the factor G/(G-1) is in it.
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

    /// 2 G / (k - (G - 3) / (G - 1)), from 1 to G - 1, with k = G sum r⁴ / (sum r²)², the kurtosis of the sums r of G
    /// clusters: the degrees of freedom of the chi-squared distribution that varies as much as their variance does, which
    /// is s⁴ (2 / (G - 1) + (k - 3) / G).
    ///
    /// - Source: Satterthwaite, Biometrics Bulletin 2 (1946); for that variance Kenney, Keeping, Mathematics of Statistics 2
    ///   (1951), section 7.12.
    private static func spreadDegrees(_ totals: [Double], _ squares: Double) -> Double {
        let groups = Double(totals.count)
        let kurtosis = groups * totals.reduce(0) { $0 + $1 * $1 * $1 * $1 } / (squares * squares)
        let degrees = 2 * groups / (kurtosis - (groups - 3) / (groups - 1))
        // Sums that are all of one size have a kurtosis of 1; no sums but 0 have none.
        return degrees >= 1 ? min(degrees, groups - 1) : kurtosis.isNaN || degrees <= 0 ? groups - 1 : 1
    }

    /// mean ± t SE; nil where the standard error is not known. For differences, which may be of any sign; the mean of
    /// scores has `interval(of:level:)`.
    package func interval(level: Double = 0.95) -> Interval? {
        guard let standardError, let degrees else { return nil }
        guard standardError > 0 else { return Interval(lower: mean, upper: mean, level: level) }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        return Interval(lower: mean - t * standardError, upper: mean + t * standardError, level: level)
    }

    /// How likely a mean as far from `value` is where that is the true one, both sides; nil without a standard error.
    public func pValue(against value: Double = 0) -> Double? {
        guard let standardError, let degrees else { return nil }
        guard standardError > 0 else { return mean == value ? 1 : 0 }
        return min(1, 2 * StudentDistribution(degrees: degrees).survival(abs(mean - value) / standardError))
    }
}
