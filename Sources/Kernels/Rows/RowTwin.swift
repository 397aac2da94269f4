internal import Glibc

/// The scalar twins of the row kernels, in float64: one row at a time, each number with the error that is allowed.
package enum RowTwin {
    package struct Element {
        package var expected: Double
        package var allowed: Double
    }

    /// Half the distance from 1 to the next float32: the relative error of one rounding.
    private static let unit = 0x1p-24

    /// e^(x - max) / Σ e^(x - max).
    ///
    /// Allowed are (16 + |x - max| + columns / 32) u of the value: a difference x - max that is rounded once changes its
    /// exponential by |x - max| u, a sum of 32 partial sums is off by up to columns / 32 u, and 16 u pay for the
    /// exponential and the division; 2⁻¹²⁶ where results leave the normal numbers.
    package static func softmax(_ x: UnsafeBufferPointer<Float>) -> [Element] {
        let max = x.reduce(-Double.infinity) { Swift.max($0, Double($1)) }
        let exponentials = x.map { Glibc.exp(Double($0) - max) }
        let sum = exponentials.reduce(0, +)
        return zip(x, exponentials).map { number, exponential in
            let distance = Swift.min(max - Double(number), 200)
            let expected = exponential / sum
            let units = 16 + distance + Double(x.count) / 32
            return Element(expected: expected, allowed: units * unit * expected + 0x1p-126)
        }
    }

    /// (x - mean) / √(variance + epsilon) · gain + bias.
    ///
    /// Allowed are (8 + columns / 32) u of (1 + |normalized|) |gain| + |bias|: the 1 stands for the mean, whose error is
    /// a share of the spread.
    package static func layerNorm(
        _ x: UnsafeBufferPointer<Float>, gain: UnsafePointer<Float>?, bias: UnsafePointer<Float>?, epsilon: Float
    ) -> [Element] {
        let count = Double(x.count)
        let mean = x.reduce(0) { $0 + Double($1) } / count
        let variance = x.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
        let scale = 1 / (variance + Double(epsilon)).squareRoot()
        return x.indices.map { i in
            let normalized = (Double(x[i]) - mean) * scale
            let (gain, bias) = (Double(gain?[i] ?? 1), Double(bias?[i] ?? 0))
            let magnitude = (1 + Swift.abs(normalized)) * Swift.abs(gain) + Swift.abs(bias)
            return Element(expected: normalized * gain + bias, allowed: (8 + count / 32) * unit * magnitude)
        }
    }

    /// x / √(mean(x²) + epsilon) · gain, within (8 + columns / 32) u of the value.
    package static func rmsNorm(
        _ x: UnsafeBufferPointer<Float>, gain: UnsafePointer<Float>?, epsilon: Float
    ) -> [Element] {
        let count = Double(x.count)
        let meanSquare = x.reduce(0) { $0 + Double($1) * Double($1) } / count
        let scale = 1 / (meanSquare + Double(epsilon)).squareRoot()
        return x.indices.map { i in
            let expected = Double(x[i]) * scale * Double(gain?[i] ?? 1)
            return Element(expected: expected, allowed: (8 + count / 32) * unit * Swift.abs(expected) + 0x1p-126)
        }
    }
}
