internal import Glibc
internal import System
internal import Tensors

/// The objective of logistic regression: C Σ loss + ½‖w‖² and its gradient.
///
/// Parameters are weights `[rowCount, d]`, row-major, then intercepts `[rowCount]`.
struct LogisticProblem {
    /// `[n, d]`.
    let inputs: Tensor<Double>
    /// A class from 0 for each row.
    let targets: [Int]
    let classCount: Int
    let c: Double

    var width: Int { inputs.shape[1] }
    /// Two classes share one row of weights.
    var rowCount: Int { classCount == 2 ? 1 : classCount }

    func evaluate(_ parameters: [Double]) throws(Problem) -> (value: Double, gradient: [Double]) {
        let (k, split) = (rowCount, rowCount * width)
        var decisions = try telling {
            let weights = try Tensor(Array(parameters[..<split]), shape: [k, width])
            return try matmul(inputs, weights.transposed()) + Tensor(Array(parameters[split...]))
        }
        var loss = 0.0
        // Decisions become C times what each is wrong by: C ∂loss/∂decision.
        try telling {
            try decisions.withMutableElements { memory in
                for (row, target) in targets.enumerated() {
                    let own = UnsafeMutableBufferPointer(rebasing: memory[row * k..<(row + 1) * k])
                    loss += k == 1 ? binary(own, target) : multinomial(own, target)
                }
            }
        }
        let (slopes, intercepts) = try telling {
            (try matmul(decisions.transposed(), inputs).elements, try decisions.sum(0).elements)
        }
        var value = c * loss
        var gradient = slopes + intercepts
        for index in 0..<split {
            value += parameters[index] * parameters[index] / 2
            gradient[index] += parameters[index]
        }
        return (value, gradient)
    }

    private func binary(_ decision: UnsafeMutableBufferPointer<Double>, _ target: Int) -> Double {
        let z = decision[0]
        decision[0] = c * (1 / (1 + exp(-z)) - Double(target))
        // ln(1 + e^z) − z·target, without overflow.
        return max(z, 0) + log1p(exp(-abs(z))) - z * Double(target)
    }

    private func multinomial(_ decisions: UnsafeMutableBufferPointer<Double>, _ target: Int) -> Double {
        var top = -Double.infinity
        for value in decisions { top = max(top, value) }
        var sum = 0.0
        for value in decisions { sum += exp(value - top) }
        let total = top + log(sum)
        let loss = total - decisions[target]
        for index in decisions.indices {
            decisions[index] = c * (exp(decisions[index] - total) - (index == target ? 1 : 0))
        }
        return loss
    }
}
