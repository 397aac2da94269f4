/// Returns the Brier score of a binary classifier: the mean squared error of the probabilities, in [0, 1].
///
/// - Returns: `nil` if there are no samples.
/// - Source: Brier, Monthly Weather Review 78 (1950), in the form for two classes.
public func brierScore(truth: [Bool], probabilities: [Double]) -> Double? {
    let count = min(truth.count, probabilities.count)
    guard count > 0 else { return nil }
    return zip(truth, probabilities).reduce(0.0) {
        let gap = $1.1 - ($1.0 ? 1 : 0)
        return $0 + gap * gap
    } / Double(count)
}

/// Returns the Brier score for several classes: the mean of sum over classes (p - onehot)², in [0, 2].
///
/// - Parameters:
///   - truth: Index of the correct class; samples with an index out of range are ignored.
///   - probabilities: Probabilities as [sample][class].
/// - Returns: `nil` if there are no samples.
public func brierScore(truth: [Int], probabilities: [[Double]]) -> Double? {
    let scores = zip(truth, probabilities).compactMap { right, row -> Double? in
        guard row.indices.contains(right) else { return nil }
        var sum = 0.0
        for (place, probability) in row.enumerated() {
            let gap = probability - (place == right ? 1 : 0)
            sum += gap * gap
        }
        return sum
    }
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
}
