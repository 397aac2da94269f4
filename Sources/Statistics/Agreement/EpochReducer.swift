/// Methods of reducing the values of a sample's epochs to one value.
public enum EpochReducer: Hashable, Sendable {
    /// Mean of the values.
    case mean
    /// Median of the values.
    case median
    /// Most common value; if several are equally common, the earliest.
    case mode
    /// Best value.
    case max
    /// 1 if at least k values pass, 0 otherwise.
    case atLeast(Int)
    /// Probability that at least one of k attempts passes: 1 − C(n − c, k) / C(n, k), for c passes in n epochs.
    case passAt(Int)
    /// Probability that all of k attempts pass: C(c, k) / C(n, k), for c passes in n epochs.
    case passAll(Int)

    /// Returns one value for the epochs of a sample.
    ///
    /// - Parameters:
    ///   - values: Values of the epochs; leave out epochs without a value.
    ///   - higherIsBetter: Whether ``max`` is the largest value instead of the smallest.
    ///   - passes: Returns whether a value passes.
    /// - Returns: `nil` if there are no values, or fewer than the k attempts of ``passAt(_:)`` and ``passAll(_:)``.
    public func reduce(_ values: [Double], higherIsBetter: Bool = true, passes: (Double) -> Bool) -> Double? {
        guard !values.isEmpty else { return nil }
        switch self {
        case .mean: return values.reduce(0, +) / Double(values.count)
        case .median:
            let sorted = values.sorted()
            let middle = sorted.count / 2
            return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        case .mode:
            // Of equally common values, the earliest wins, so the result does not depend on the dictionary's order.
            var counts: [Double: Int] = [:]
            for value in values { counts[value, default: 0] += 1 }
            let largest = counts.values.max() ?? 0
            return values.first { counts[$0] == largest }
        case .max: return higherIsBetter ? values.max() : values.min()
        case .atLeast(let minimum): return values.count(where: passes) >= minimum ? 1 : 0
        case .passAt(let number):
            return RepeatedSamples.passAtK(count: values.count, correct: values.count(where: passes), k: number)
        case .passAll(let number):
            return RepeatedSamples.passHatK(count: values.count, correct: values.count(where: passes), k: number)
        }
    }
}
