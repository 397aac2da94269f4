internal import Glibc

/// Returns the log loss of a binary classifier: the mean of -ln p, with p the probability of the true class.
///
/// Probabilities are clamped to at least 2^-52 from 0 and 1, so one confident error does not make the loss infinite.
/// - Parameter probabilities: Probability of the positive class, per sample.
/// - Returns: `nil` if there are no samples.
public func logLoss(truth: [Bool], probabilities: [Double]) -> Double? {
    let pairs = zip(truth, probabilities)
    let count = min(truth.count, probabilities.count)
    guard count > 0 else { return nil }
    return pairs.reduce(0.0) { $0 - log(clamped($1.0 ? $1.1 : 1 - $1.1)) } / Double(count)
}

/// Returns the log loss for several classes: the mean of -ln p, with p the probability of the true class.
///
/// - Parameters:
///   - truth: Index of the correct class; samples with an index out of range are ignored.
///   - probabilities: Probabilities as [sample][class].
/// - Returns: `nil` if there are no samples.
public func logLoss(truth: [Int], probabilities: [[Double]]) -> Double? {
    let losses = zip(truth, probabilities).compactMap { right, row in
        row.indices.contains(right) ? -log(clamped(row[right])) : nil
    }
    return losses.isEmpty ? nil : losses.reduce(0, +) / Double(losses.count)
}

private func clamped(_ probability: Double) -> Double { min(max(probability, .ulpOfOne), 1 - .ulpOfOne) }
