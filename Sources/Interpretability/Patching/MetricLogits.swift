internal import Glibc
internal import System
internal import Tensors

/// Logits of one position and what they say, in double precision.
struct MetricLogits {
    let logits: [Double]
    let logProbabilities: [Double]

    init<Scalar: FloatingAccumulator>(_ logits: Tensor<Scalar>, at position: Int) throws(Problem) {
        self.logits = try telling { try logits[position].converted(to: Double.self).elements }
        let top = self.logits.max() ?? 0
        let total = top + log(self.logits.reduce(0) { $0 + exp($1 - top) })
        logProbabilities = self.logits.map { $0 - total }
    }

    var probabilities: [Double] { logProbabilities.map { exp($0) } }

    /// KL(self ‖ other).
    func divergence(to other: MetricLogits) -> Double {
        var sum = 0.0
        for (own, others) in zip(logProbabilities, other.logProbabilities) where own > -.infinity {
            sum += exp(own) * (own - others)
        }
        return sum
    }
}
