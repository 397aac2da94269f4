/// How the values of a sample that was answered several times become one.
public enum EpochReducer: Hashable, Sendable {
    case mean
    case median
    case mode
    case max
    /// 1 where at least k of them pass.
    case atLeast(Int)
    /// 1 − C(n − c, k) / C(n, k), for c of n that pass.
    case passAt(Int)
    /// C(c, k) / C(n, k).
    case passAll(Int)

    /// One value of the values of a sample's epochs.
    ///
    /// - Parameters:
    ///   - values: those of the epochs that have one; the others are no part of it.
    ///   - higherIsBetter: which end `max` takes.
    ///   - passes: whether a value passes.
    /// - Returns: nil where there is none, or where there are fewer than k.
    public func reduce(_ values: [Double], higherIsBetter: Bool = true, passes: (Double) -> Bool) -> Double? {
        guard !values.isEmpty else { return nil }
        switch self {
        case .mean: return values.reduce(0, +) / Double(values.count)
        case .median:
            let sorted = values.sorted()
            let middle = sorted.count / 2
            return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        case .mode:
            // The first of those that are equally common, so that the order of the epochs decides.
            var counts: [Double: Int] = [:]
            for value in values { counts[value, default: 0] += 1 }
            let most = counts.values.max() ?? 0
            return values.first { counts[$0] == most }
        case .max: return higherIsBetter ? values.max() : values.min()
        case .atLeast(let least): return values.count(where: passes) >= least ? 1 : 0
        case .passAt(let number):
            return RepeatedSamples.passAtK(count: values.count, correct: values.count(where: passes), k: number)
        case .passAll(let number):
            return RepeatedSamples.passHatK(count: values.count, correct: values.count(where: passes), k: number)
        }
    }
}
