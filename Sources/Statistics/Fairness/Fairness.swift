/// Whether a classifier treats groups of people alike.
///
/// Rates of groups that have no sample for them are left out.
/// - Source: Hardt, Price, Srebro, NeurIPS 2016; Agarwal et al., ICML 2018; definitions as in Fairlearn.
public struct Fairness<Group: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// Rates of one group; nil where there is no sample for one.
    public struct Rates: Hashable, Sendable {
        /// The group.
        public var group: Group
        /// Its samples.
        public var count: Int
        /// The share taken for positive.
        public var selection: Double?
        /// The share of its positives that were found; nil without positives.
        public var truePositive: Double?
        /// The share of its negatives that were taken for positive; nil without negatives.
        public var falsePositive: Double?
    }

    /// In order of the groups.
    public let groups: [Rates]

    /// One entry a sample in each.
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

    /// Demographic parity: the largest selection rate less the smallest.
    public var parityDifference: Double? { difference(\.selection) }
    /// The smallest selection rate over the largest.
    public var parityRatio: Double? { ratio(\.selection) }
    /// Equalized odds: the larger of the differences of true and false positive rates.
    public var oddsDifference: Double? {
        [difference(\.truePositive), difference(\.falsePositive)].compactMap(\.self).max()
    }
    /// The smaller of the ratios of true and false positive rates.
    public var oddsRatio: Double? { [ratio(\.truePositive), ratio(\.falsePositive)].compactMap(\.self).min() }
    /// Equal opportunity: the difference of true positive rates.
    public var opportunityDifference: Double? { difference(\.truePositive) }

    private func bounds(_ rate: KeyPath<Rates, Double?>) -> (least: Double, most: Double)? {
        let rates = groups.compactMap { $0[keyPath: rate] }
        guard let least = rates.min(), let most = rates.max() else { return nil }
        return (least, most)
    }

    private func difference(_ rate: KeyPath<Rates, Double?>) -> Double? { bounds(rate).map { $0.most - $0.least } }
    private func ratio(_ rate: KeyPath<Rates, Double?>) -> Double? {
        bounds(rate).flatMap { $0.most > 0 ? $0.least / $0.most : nil }
    }
}

private struct GroupCounts {
    var samples = 0
    var positives = 0
    var selected = 0
    var hits = 0
}
