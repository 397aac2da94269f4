/// The mean square of the gap between the probability of the positive class and the truth; nil for none.
///
/// Source: Brier, Monthly Weather Review 78 (1950), in the form for two classes that lies in [0, 1].
public func brierScore(truth: [Bool], probabilities: [Double]) -> Double? {
    let count = min(truth.count, probabilities.count)
    guard count > 0 else { return nil }
    return zip(truth, probabilities).reduce(0.0) {
        let gap = $1.1 - ($1.0 ? 1 : 0)
        return $0 + gap * gap
    } / Double(count)
}

/// Brier's own form for several classes, in [0, 2]: the mean of sum over classes (p - onehot)²; nil for none.
///
/// - Parameters:
///   - truth: the place of the right class; samples whose place is none are left out.
///   - probabilities: [sample][class].
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
