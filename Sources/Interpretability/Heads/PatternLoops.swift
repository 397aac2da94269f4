internal import Glibc
internal import Tensors

/// Loops over one row of a pattern.
enum PatternLoops {
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func sum<Scalar: FloatingAccumulator>(_ weights: UnsafePointer<Scalar>, _ count: Int) -> Double {
        var sums = (0.0, 0.0, 0.0, 0.0)
        var i = 0
        while i + 4 <= count {
            sums.0 += weights[i].float64
            sums.1 += weights[i + 1].float64
            sums.2 += weights[i + 2].float64
            sums.3 += weights[i + 3].float64
            i += 4
        }
        while i < count {
            sums.0 += weights[i].float64
            i += 1
        }
        return (sums.0 + sums.1) + (sums.2 + sums.3)
    }

    /// −Σ a log a, nats, by eight at a time: within 1e-6 of a logarithm for each.
    static func entropy(_ weights: UnsafePointer<Float>, _ count: Int) -> Float {
        var sums = SIMD8<Float>.zero
        var key = 0
        while key + 8 <= count {
            let weight = UnsafeRawPointer(weights + key).loadUnaligned(as: SIMD8<Float>.self)
            sums -= weight * naturalLog(weight)
            key += 8
        }
        if key < count {
            var weight = SIMD8<Float>.zero
            for index in key..<count { weight[index - key] = weights[index] }
            sums -= weight * naturalLog(weight)
        }
        return max(0, sums.sum())
    }

    /// Of x = m 2ᵉ with m from √½ to √2: e log 2 + 2 artanh((m − 1) / (m + 1)), by its series to the ninth power. Finite
    /// at 0, where a weight of 0 takes it away.
    @inline(__always)
    private static func naturalLog(_ x: SIMD8<Float>) -> SIMD8<Float> {
        let bits = unsafeBitCast(x, to: SIMD8<UInt32>.self)
        // 2²³ + the exponent, written as the bits of a number, so that nothing is converted.
        let raised = unsafeBitCast((bits &>> 23) | 0x4B00_0000, to: SIMD8<Float>.self)
        var exponent = raised - (8_388_608 + 127)
        var mantissa = unsafeBitCast((bits & 0x007F_FFFF) | 0x3F80_0000, to: SIMD8<Float>.self)
        let isLarge = mantissa .> 1.414_213_6
        mantissa.replace(with: mantissa * 0.5, where: isLarge)
        exponent.replace(with: exponent + 1, where: isLarge)
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var series = square * (1 / 9) + 1 / 7
        series = series * square + 1 / 5
        series = series * square + 1 / 3
        series = series * square + 1
        return exponent * 0.693_147_18 + 2 * ratio * series
    }

    /// −Σ a log a, and Σ a (q − k).
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func spread<Scalar: FloatingAccumulator>(
        _ weights: UnsafePointer<Scalar>, query: Int, _ count: Int
    ) -> (entropy: Double, distance: Double) {
        var (entropy, distance) = (0.0, 0.0)
        for key in 0..<min(count, query + 1) {
            let weight = weights[key].float64
            guard weight > 0 else { continue }
            entropy -= weight * log(weight)
            distance += weight * Double(query - key)
        }
        return (entropy, distance)
    }

    /// Sets row[k] · norms[k], divided by their sum; all zeros if the sum is 0.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func weigh<Scalar: FloatingAccumulator>(
        _ weights: UnsafePointer<Scalar>, by norms: UnsafePointer<Scalar>, into result: UnsafeMutablePointer<Scalar>,
        _ count: Int
    ) {
        var sum = 0.0
        for key in 0..<count {
            result[key] = weights[key] * norms[key]
            sum += result[key].float64
        }
        guard sum > 0 else { return }
        let factor = Scalar(rounding: 1 / sum)
        for key in 0..<count { result[key] *= factor }
    }
}
