/// Group fairness of a classifier: the rates of each group, and the gaps between groups.
///
/// Each comparison ignores groups that have no samples for the compared rate.
/// - Source: Hardt, Price, Srebro, NeurIPS 2016; Agarwal et al., ICML 2018; definitions as in Fairlearn.
public struct Fairness<Group: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// Rates of one group.
    public struct Rates: Hashable, Sendable {
        /// Name of the group.
        public var group: Group
        /// Number of samples.
        public var count: Int
        /// Selection rate: the share of samples predicted positive.
        public var selection: Double?
        /// True positive rate; `nil` if the group has no positives.
        public var truePositive: Double?
        /// False positive rate; `nil` if the group has no negatives.
        public var falsePositive: Double?
    }

    /// Rates per group, sorted by name.
    public let groups: [Rates]

    /// Creates the rates from one label, one prediction, and one group per sample.
    public init(truth: [Bool], predicted: [Bool], groups names: [Group]) {
        var counts: [Group: GroupCounts] = [:]
        for ((isPositive, isSelected), name) in zip(zip(truth, predicted), names) {
            var count = counts[name] ?? GroupCounts()
            count.samples += 1
            if isPositive { count.positives += 1 }
            if isSelected { count.selected += 1 }
            if isPositive && isSelected { count.hits += 1 }
            counts[name] = count
        }
        func share(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
        groups = counts.sorted { $0.key < $1.key }.map { name, count in
            Rates(
                group: name, count: count.samples, selection: share(count.selected, count.samples),
                truePositive: share(count.hits, count.positives),
                falsePositive: share(count.selected - count.hits, count.samples - count.positives))
        }
    }

    /// Demographic parity difference: the largest selection rate minus the smallest.
    public var parityDifference: Double? { difference(\.selection) }
    /// Demographic parity ratio: the smallest selection rate divided by the largest.
    public var parityRatio: Double? { ratio(\.selection) }
    /// Equalized odds difference: the larger of the gaps in true and false positive rates.
    public var oddsDifference: Double? {
        [difference(\.truePositive), difference(\.falsePositive)].compactMap(\.self).max()
    }
    /// Equalized odds ratio: the smaller of the ratios of true and false positive rates.
    public var oddsRatio: Double? { [ratio(\.truePositive), ratio(\.falsePositive)].compactMap(\.self).min() }
    /// Equal opportunity difference: the gap in true positive rates.
    public var opportunityDifference: Double? { difference(\.truePositive) }

    private func bounds(_ rate: KeyPath<Rates, Double?>) -> (lowest: Double, highest: Double)? {
        let rates = groups.compactMap { $0[keyPath: rate] }
        guard let lowest = rates.min(), let highest = rates.max() else { return nil }
        return (lowest, highest)
    }

    private func difference(_ rate: KeyPath<Rates, Double?>) -> Double? { bounds(rate).map { $0.highest - $0.lowest } }
    private func ratio(_ rate: KeyPath<Rates, Double?>) -> Double? {
        bounds(rate).flatMap { $0.highest > 0 ? $0.lowest / $0.highest : nil }
    }
}

private struct GroupCounts {
    var samples = 0
    var positives = 0
    var selected = 0
    var hits = 0
}
