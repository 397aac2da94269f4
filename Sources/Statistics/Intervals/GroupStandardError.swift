/// Returns the standard error of the mean over several groups from the standard errors of the groups.
///
/// sqrt(sum((n_i - 1) n_i se_i²) / (N - k) / N), with N samples in k groups. The formula pools the variances of the
/// groups and ignores differences between their means.
/// - Returns: `nil` if no group has two samples.
/// - Source: lm-evaluation-harness, aggregation of subtasks.
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
