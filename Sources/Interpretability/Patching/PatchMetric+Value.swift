internal import Glibc
public import System
public import Tensors

extension PatchMetric {
    /// The metric of a run, computed in double precision.
    ///
    /// - Parameters:
    ///   - logits: `[T, V]` of the run.
    ///   - reference: The clean run.
    /// - Throws: An error if a token is not of the vocabulary, or there is no such position.
    public func value<Scalar: FloatingAccumulator>(
        of logits: Tensor<Scalar>, reference: PatchReference<Scalar>
    ) throws(Problem) -> Double {
        try check(logits)
        guard let position else { return try loss(logits, reference) }
        let row = try MetricLogits(logits, at: position)
        switch self {
        case .logitDifference(let correct, let wrong, _): return row.logits[Int(correct)] - row.logits[Int(wrong)]
        case .logit(let token, _): return row.logits[Int(token)]
        case .probability(let token, _): return exp(row.logProbabilities[Int(token)])
        case .logProbability(let token, _): return row.logProbabilities[Int(token)]
        case .divergenceFromClean:
            return try MetricLogits(reference.logits, at: position).divergence(to: row)
        case .loss: return 0
        }
    }

    private func loss<Scalar: FloatingAccumulator>(
        _ logits: Tensor<Scalar>, _ reference: PatchReference<Scalar>
    ) throws(Problem) -> Double {
        let targets = try targets(logits, reference)
        var sum = 0.0
        for (position, target) in targets.enumerated() {
            sum -= try MetricLogits(logits, at: position).logProbabilities[target]
        }
        return sum / Double(targets.count)
    }

    /// The next tokens of the clean prompt.
    func targets<Scalar: FloatingAccumulator>(
        _ logits: Tensor<Scalar>, _ reference: PatchReference<Scalar>
    ) throws(Problem) -> [Int] {
        let targets = reference.tokens.dropFirst().map(Int.init)
        guard !targets.isEmpty, logits.shape[0] == reference.tokens.count else {
            throw Problem(
                .invalid, "loss", "the prompt needs at least two tokens, and both runs must have the same length")
        }
        return targets
    }

    /// Tokens and position exist.
    func check<Scalar: FloatingAccumulator>(_ logits: Tensor<Scalar>) throws(Problem) {
        guard logits.rank == 2 else {
            throw Problem(.invalid, "metric", "expected logits [T, V], found \(logits.shape)")
        }
        let (length, vocabulary) = (logits.shape[0], logits.shape[1])
        for token in tokens where token < 0 || Int(token) >= vocabulary {
            throw Problem(
                .invalid, "token \(token)", "not in the vocabulary of \(vocabulary) tokens",
                remedy: "Compare the logits of tokens from 0 to \(vocabulary - 1).")
        }
        if let position, position >= length || position < -length {
            throw Problem(
                .invalid, "position \(position)", "outside the prompt of \(length) tokens",
                remedy: "Use a position from 0 to \(length - 1), or -1 for the last.")
        }
    }
}
