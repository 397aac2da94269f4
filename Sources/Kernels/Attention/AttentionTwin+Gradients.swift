internal import Glibc

/// The gradients of attention one row at a time in float64, from the outputs that the forward gave.
struct AttentionGradientTwin {
    let forward: AttentionTwin
    let o: AttentionView
    let logSumExp: UnsafePointer<Float>
    let outputGradient: AttentionView

    private var shape: AttentionShape { forward.shape }
    private typealias Rounding = AttentionTwin.Rounding

    /// A row of a gradient, and how far each number may be off.
    struct Row {
        var gradient: [Double]
        var tolerance: [Double]

        init(width: Int) {
            gradient = Array(repeating: 0, count: width)
            tolerance = gradient
        }

        mutating func add(_ weight: Double, units: Double, times row: UnsafePointer<Float>) {
            for c in gradient.indices {
                gradient[c] += weight * Double(row[c])
                tolerance[c] += units * abs(Double(row[c])) * Rounding.unit
            }
        }
    }

    /// P and scale dS of one pair, with the rounding that each of them may carry, in units of u.
    private struct Pair {
        var weight: Double
        var weightUnits: Double
        var gradient: Double
        var gradientUnits: Double
    }

    private func pair(head: Int, query: Int, key: Int, terms: Int) -> Pair {
        let (q, dO) = (forward.q.row(head, query), outputGradient.row(head, query))
        let (k, v) = (forward.k.row(head / forward.group, key), forward.v.row(head / forward.group, key))
        let scale = Double(shape.scale)
        let logarithm = Double(logSumExp[head * shape.queries + query])
        let score = forward.dot(q, k)
        let product = forward.dot(dO, v)
        let delta = forward.dot(dO, o.row(head, query))

        let weight = exp(scale * score.sum - logarithm)
        let relative =
            Rounding.weight(score: abs(scale) * score.magnitude, width: shape.width) + 4 * abs(logarithm)
            + Rounding.sum(terms)
        let difference = product.sum - delta.sum
        let differenceUnits = Rounding.sum(shape.width) * (product.magnitude + delta.magnitude)
        return Pair(
            weight: weight, weightUnits: weight * relative, gradient: scale * weight * difference,
            gradientUnits: abs(scale) * weight * (relative * abs(difference) + differenceUnits))
    }

    /// dQ = scale dS K, one row.
    func queryRow(head: Int, query: Int) -> Row {
        var row = Row(width: shape.width)
        let keys = shape.visibleKeys(query: query)
        for key in keys {
            let pair = pair(head: head, query: query, key: key, terms: keys.count)
            row.add(pair.gradient, units: pair.gradientUnits, times: forward.k.row(head / forward.group, key))
        }
        return row
    }

    /// dK = scale dSᵀ Q and dV = Pᵀ dO, one row of each.
    func keyRow(kvHead: Int, key: Int) -> (key: Row, value: Row) {
        var rows = (key: Row(width: shape.width), value: Row(width: shape.width))
        let terms = forward.group * shape.queries
        for head in kvHead * forward.group..<(kvHead + 1) * forward.group {
            for query in 0..<shape.queries where shape.visibleKeys(query: query).contains(key) {
                let pair = pair(head: head, query: query, key: key, terms: terms)
                rows.key.add(pair.gradient, units: pair.gradientUnits, times: forward.q.row(head, query))
                rows.value.add(pair.weight, units: pair.weightUnits, times: outputGradient.row(head, query))
            }
        }
        return rows
    }
}
