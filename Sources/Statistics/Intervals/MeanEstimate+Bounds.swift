extension MeanEstimate {
    /// The interval of the mean of scores: the one to show, whatever they are; nil where nothing is known of how they vary.
    ///
    /// Scores in [0, 1] never leave it: hits that stand alone have Wilson's interval, all others in [0, 1] Wilson's with the
    /// number of hits and misses that would have this standard error. All others have mean ± t SE. Scores that are all the
    /// same may still vary: in [0, 1] the interval is then Wilson's with clusters, or values, as what is counted (no values
    /// with that mean vary more than hits and misses do).
    /// - Parameters:
    ///   - values: those that this is the mean of.
    ///   - level: how often such an interval holds the true mean.
    public func interval(of values: [Double], level: Double = 0.95) -> Interval? {
        guard !values.isEmpty, values.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            return unboundedInterval(values, level)
        }
        // Sums in another order differ in their last bits.
        let share = min(max(mean, 0), 1)
        if clusters == nil, values.allSatisfy({ $0 == 0 || $0 == 1 }) {
            return ProportionInterval.wilson(share: share, count: count, level: level)
        }
        guard let standardError, let degrees else { return nil }
        guard standardError > 1e-12 * share, share < 1 else {
            return ProportionInterval.wilson(share: share, count: clusters ?? count, level: level)
        }
        return ProportionInterval.wilson(
            share: share, standardError: standardError, degrees: spreadDegrees ?? degrees, level: level)
    }

    /// Of values that are all the same, and may be any, nothing is known.
    private func unboundedInterval(_ values: [Double], _ level: Double) -> Interval? {
        let largest = values.reduce(0) { max($0, abs($1)) }
        guard let standardError, standardError > 1e-12 * largest else { return nil }
        return interval(level: level)
    }
}
