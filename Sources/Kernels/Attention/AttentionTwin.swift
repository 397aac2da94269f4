internal import Glibc

/// Attention one row at a time in float64, as the formulas say it: what every rung is compared with.
///
/// Next to each number stands how much rounding to float32 may move it, u = 2⁻²⁴ times what `Rounding` counts.
package struct AttentionTwin {
    package let shape: AttentionShape
    package let q: AttentionView
    package let k: AttentionView
    package let v: AttentionView

    var group: Int { shape.heads / shape.kvHeads }

    /// Σ a b, and Σ |a b|, which bounds its rounding.
    func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> (sum: Double, magnitude: Double) {
        var sum = 0.0
        var magnitude = 0.0
        for c in 0..<shape.width {
            let product = Double(a[c]) * Double(b[c])
            sum += product
            magnitude += abs(product)
        }
        return (sum, magnitude)
    }

    /// Rounding errors in units of u: they partly cancel, so that n of them count 4 √n rather than n.
    enum Rounding {
        static let unit = 0x1p-24
        static func sum(_ terms: Int) -> Double { 4 * Double(terms).squareRoot() }
        /// Of exp(s): what the score is off by, and 8 for the exponential itself.
        static func weight(score magnitude: Double, width: Int) -> Double { 8 + 2 * (sum(width) + 2) * magnitude }
    }

    package struct Row {
        package var output: [Double]
        package var logSumExp: Double
        /// How far each output may be off.
        package var tolerance: [Double]
        package var logTolerance: Double
    }

    package func row(head: Int, query: Int) -> Row {
        let keys = shape.visibleKeys(query: query)
        var row = Row(
            output: Array(repeating: 0, count: shape.width), logSumExp: -.infinity,
            tolerance: Array(repeating: 0, count: shape.width), logTolerance: 0)
        guard !keys.isEmpty else { return row }
        let scale = Double(shape.scale)
        let products = keys.map { dot(q.row(head, query), k.row(head / group, $0)) }
        let highest = products.reduce(-Double.infinity) { max($0, scale * $1.sum) }
        let largest = products.reduce(0) { max($0, abs(scale) * $1.magnitude) }
        let weights = products.map { exp(scale * $0.sum - highest) }
        let sum = weights.reduce(0, +)
        row.logSumExp = highest + log(sum)

        let units = Rounding.sum(keys.count) + Rounding.weight(score: largest, width: shape.width)
        for (weight, key) in zip(weights, keys) {
            let value = v.row(head / group, key)
            for c in 0..<shape.width {
                row.output[c] += weight / sum * Double(value[c])
                row.tolerance[c] += weight / sum * abs(Double(value[c])) * units * Rounding.unit
            }
        }
        row.logTolerance = (units + 4 * abs(row.logSumExp)) * Rounding.unit
        return row
    }
}
