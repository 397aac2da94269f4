internal import Glibc

/// The division of a signature into bands: two sets collide if all rows of one band agree.
///
/// Sets of Jaccard similarity s meet with probability 1 − (1 − s^rows)^bands.
///
/// Source: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4.
public struct Banding: Hashable, Sendable {
    public let bands: Int
    public let rows: Int

    public init(bands: Int, rows: Int) {
        self.bands = max(1, bands)
        self.rows = max(1, rows)
    }

    /// The banding with the least weighted error for a threshold: the area under the curve of meeting below it (false
    /// positives), and over the curve above it (false negatives), as `datasketch` weighs them.
    ///
    /// - Parameter missWeight: The weight of a false negative in (0, 1); that of a false positive is the rest.
    public init(threshold: Double, permutations: Int, missWeight: Double = 0.5) {
        let threshold = min(max(threshold, 0), 1)
        let weight = min(max(missWeight, 0), 1)
        var best = (error: Double.infinity, bands: 1, rows: 1)
        for bands in 1...max(1, permutations) {
            for rows in 1...max(1, permutations / bands) {
                let candidate = Banding(bands: bands, rows: rows)
                let met = candidate.area(0, threshold)
                let missed = (1 - threshold) - candidate.area(threshold, 1)
                let error = (1 - weight) * met + weight * missed
                if error < best.error { best = (error, bands, rows) }
            }
        }
        self.init(bands: best.bands, rows: best.rows)
    }

    /// Returns the probability that sets with a similarity collide.
    public func probability(of similarity: Double) -> Double {
        1 - pow(1 - pow(similarity, Double(rows)), Double(bands))
    }

    /// Returns the integral of the probability by the rule of midpoints, a hundred of them.
    private func area(_ lower: Double, _ upper: Double) -> Double {
        let width = (upper - lower) / 100
        var sum = 0.0
        for step in 0..<100 { sum += probability(of: lower + (Double(step) + 0.5) * width) }
        return sum * width
    }
}
