internal import Glibc

/// The mean of -ln of the probability that the right class was given; nil for none.
///
/// Probabilities are kept 2^-52 away from 0 and 1, so that one sure error is not infinite.
/// - Parameter probabilities: of the positive class.
public func logLoss(truth: [Bool], probabilities: [Double]) -> Double? {
    let pairs = zip(truth, probabilities)
    let count = min(truth.count, probabilities.count)
    guard count > 0 else { return nil }
    return pairs.reduce(0.0) { $0 - log(kept($1.0 ? $1.1 : 1 - $1.1)) } / Double(count)
}

/// As above, for several classes.
///
/// - Parameters:
///   - truth: the place of the right class; samples whose place is none are left out.
///   - probabilities: [sample][class].
public func logLoss(truth: [Int], probabilities: [[Double]]) -> Double? {
    let losses = zip(truth, probabilities).compactMap { right, row in
        row.indices.contains(right) ? -log(kept(row[right])) : nil
    }
    return losses.isEmpty ? nil : losses.reduce(0, +) / Double(losses.count)
}

private func kept(_ probability: Double) -> Double { min(max(probability, .ulpOfOne), 1 - .ulpOfOne) }
