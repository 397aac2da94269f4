internal import Glibc

/// Lucene's BM25 without its constant factor (k1 + 1).
///
///     idf(t)  = ln(1 + (N - df + 1/2) / (df + 1/2))
///     w(t, d) = idf(t) tf / (tf + k1 (1 - b + b |d| / avgdl))
///
/// Weights are rounded to multiples of 2^-36. Sums of those below 2^17 are exact in double precision, so that a
/// document's score does not depend on the order in which its terms are met: pruned and exhaustive search agree in
/// every bit. Source: Robertson and Zaragoza 2009, equation 3.15; idf as in Lucene's BM25Similarity.
enum BM25 {
    /// The distance of two neighboring weights.
    static let step = 0x1p-36

    static func idf(documents: Int, with frequency: Int) -> Double {
        let frequency = Double(frequency)
        return log(1 + (Double(documents) - frequency + 0.5) / (frequency + 0.5))
    }

    static func norm(length: Int, average: Double, k1: Double, b: Double) -> Double {
        average > 0 ? k1 * (1 - b + b * Double(length) / average) : k1
    }

    /// - Parameters:
    ///   - scale: Idf times boosts.
    ///   - norm: As ``norm(length:average:k1:b:)`` gives it.
    @inline(__always)
    static func weight(_ scale: Double, _ frequency: Double, _ norm: Double) -> Double {
        let weight = scale * frequency / (frequency + norm)
        // Adding and subtracting 1.5 x 2^16 leaves 36 binary places.
        return (weight + 0x1.8p16) - 0x1.8p16
    }

    /// Returns a length as Lucene's SmallFloat keeps it in a byte: exact below 40, then with four significant bits.
    static func byteNorm(_ length: Int) -> Int {
        guard length >= 24 else { return length }
        let rest = length - 24
        let shift = max(0, Int.bitWidth - rest.leadingZeroBitCount - 4)
        return 24 + (rest >> shift) << shift
    }
}
