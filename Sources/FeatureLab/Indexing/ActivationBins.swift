/// Bins that count activations before their maximum is known.
///
/// Bins are logarithmic, 32 an octave between 2⁻¹⁴ and 2¹⁴, linear within an octave: the exponent of a Float and the
/// first five bits of its fraction. What is smaller or larger is in the first or last one. Strata, from which examples
/// are drawn, have two bits of the fraction: four an octave, without ends.
enum ActivationBins {
    static let octaves = 28
    static let count = 32 * octaves
    private static let lowestExponent = -14
    private static let base = (127 + lowestExponent) << 5

    @inline(__always)
    static func bin(_ value: Float) -> Int {
        min(count &- 1, max(0, Int(value.bitPattern &>> 18) &- base))
    }

    /// Where bins begin and end, the last one at the maximum.
    static func bounds(_ bin: Int, maximum: Float) -> Range<Double> {
        let lower = bin == 0 ? 0 : Double(Float(bitPattern: UInt32(bin + base) << 18))
        let upper = bin == count - 1 ? .infinity : Double(Float(bitPattern: UInt32(bin + 1 + base) << 18))
        return lower..<max(lower, min(upper, Double(maximum)))
    }

    @inline(__always)
    static func stratum(_ value: Float) -> Int32 { Int32(bitPattern: value.bitPattern &>> 21) }

    /// Folds counts into `bins` equal ones over 0 ... maximum.
    ///
    /// The count of a bin is shared by overlap, as if its activations lay evenly in it; totals are kept, and counts up
    /// to an edge are off by no more than the bin in which the edge is.
    static func folded(_ counts: UnsafeBufferPointer<UInt32>, maximum: Float, into bins: Int) -> [Int] {
        var shares = [Double](repeating: 0, count: bins)
        guard maximum > 0 else { return [Int](repeating: 0, count: bins) }
        let scale = Double(bins) / Double(maximum)
        for (bin, number) in counts.enumerated() where number > 0 {
            let bounds = Self.bounds(bin, maximum: maximum)
            let (lower, upper) = (bounds.lowerBound * scale, bounds.upperBound * scale)
            let first = Int(min(Double(bins - 1), lower))
            guard upper > lower else {
                shares[first] += Double(number)
                continue
            }
            for index in first...max(first, min(bins - 1, Int(upper))) {
                let overlap = min(upper, Double(index + 1)) - max(lower, Double(index))
                if overlap > 0 { shares[index] += Double(number) * overlap / (upper - lower) }
            }
        }
        return rounded(shares)
    }

    // Rounds running sums, so that the total stays what it is.
    private static func rounded(_ shares: [Double]) -> [Int] {
        var (sum, before) = (0.0, 0)
        return shares.map { share in
            sum += share
            let whole = Int(sum.rounded())
            defer { before = whole }
            return whole - before
        }
    }
}
