/// The standard error of the mean of all samples of several groups, from those of the groups.
///
/// sqrt(sum((n_i - 1) n_i se_i²) / (N - k) / N), with N samples in k groups: the variances of the groups are pooled, so
/// differences between their means count for nothing.
/// - Returns: nil where no group has two samples.
/// - Source: the rule by which lm-evaluation-harness aggregates subtasks.
public func groupStandardError(counts: [Int], standardErrors: [Double]) -> Double? {
    let groups = min(counts.count, standardErrors.count)
    var total = 0.0
    var sum = 0.0
    for place in 0..<groups {
        let n = Double(counts[place])
        total += n
        sum += (n - 1) * n * standardErrors[place] * standardErrors[place]
    }
    guard total > Double(groups) else { return nil }
    return (sum / (total - Double(groups)) / total).squareRoot()
}
