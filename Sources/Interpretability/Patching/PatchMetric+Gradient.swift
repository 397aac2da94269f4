public import System
public import Tensors

extension PatchMetric {
    /// ∂m/∂logits of a run, `[T, V]`, in closed form.
    ///
    /// With p the softmax of a row: e_c − e_w of a logit difference, p_t (e_t − p) of a probability, e_t − p of its
    /// logarithm, p − p_clean of the divergence, (p − e_t)/(T − 1) of every row of the loss.
    public func gradient<Scalar: FloatingAccumulator>(
        at logits: Tensor<Scalar>, reference: PatchReference<Scalar>
    ) throws(Problem) -> Tensor<Scalar> {
        try check(logits)
        let (length, vocabulary) = (logits.shape[0], logits.shape[1])
        var rows: [(position: Int, gradient: [Double])] = []
        if let position {
            let row = try MetricLogits(logits, at: position)
            rows.append(((position + length) % length, try gradient(of: row, position, reference)))
        } else {
            let targets = try targets(logits, reference)
            for (position, target) in targets.enumerated() {
                var gradient = try MetricLogits(logits, at: position).probabilities
                gradient[target] -= 1
                rows.append((position, gradient.map { $0 / Double(targets.count) }))
            }
        }
        return try telling {
            try Tensor<Scalar>(shape: [length, vocabulary]) { memory in
                memory.update(repeating: 0)
                for (position, gradient) in rows {
                    for (token, value) in gradient.enumerated() {
                        memory[position * vocabulary + token] = Scalar(rounding: value)
                    }
                }
            }
        }
    }

    private func gradient<Scalar: FloatingAccumulator>(
        of row: MetricLogits, _ position: Int, _ reference: PatchReference<Scalar>
    ) throws(Problem) -> [Double] {
        var gradient = [Double](repeating: 0, count: row.logits.count)
        switch self {
        case .logitDifference(let correct, let wrong, _):
            gradient[Int(correct)] += 1
            gradient[Int(wrong)] -= 1
        case .logit(let token, _): gradient[Int(token)] = 1
        case .probability(let token, _):
            let probabilities = row.probabilities
            let own = probabilities[Int(token)]
            gradient = probabilities.map { -own * $0 }
            gradient[Int(token)] += own
        case .logProbability(let token, _):
            gradient = row.probabilities.map { -$0 }
            gradient[Int(token)] += 1
        case .divergenceFromClean:
            let clean = try MetricLogits(reference.logits, at: position).probabilities
            gradient = zip(row.probabilities, clean).map { $0 - $1 }
        case .loss: break
        }
        return gradient
    }
}
