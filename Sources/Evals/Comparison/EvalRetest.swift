internal import Formatting
public import JSON
public import Statistics

/// Another test of a comparison's difference than the t test: by resampling, or by ranks.
public struct EvalRetest: Hashable, Sendable {
    /// Alternative tests.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Interval of the mean difference, with samples or clusters resampled; no p value.
        case bootstrap
        /// Bootstrap interval, corrected for bias and skewness.
        case bca
        /// p value of the mean difference, with random signs for samples or clusters.
        case permutation
        /// Wilcoxon's signed-rank test, with Pratt's treatment of zeros; samples are independent.
        case wilcoxon
    }

    public var kind: Kind
    /// Interval of the difference B - A.
    public var interval: Interval?
    /// Two-sided p value.
    public var p: Double?
    /// Note on the result, without a full stop.
    public var note: String?

    /// - Parameters:
    ///   - seed: Seed for the random numbers; the result does not depend on the number of cores.
    ///   - isCancelled: Called from time to time; a canceled test has no result.
    ///   - progress: Called from time to time with the completed share of the resamples.
    public init(
        _ kind: Kind, of diff: EvalDiff, draws: Int = 10_000, seed: UInt64 = 1,
        isCancelled: @Sendable () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) {
        self.kind = kind
        let pairs = diff.pairs.filter { $0.change != .unscored }.sorted { $0.rowA < $1.rowA }
        let differences = pairs.map { $0.valueB - $0.valueA }
        let clusters =
            pairs.contains { $0.cluster != nil } ? clusterNumbers(pairs.map(\.cluster)) : nil
        switch kind {
        case .bootstrap, .bca:
            interval = BootstrapSettings(
                draws: draws, level: diff.options.level, seed: seed, method: kind == .bca ? .bca : .percentile
            ).interval(of: differences, clusters: clusters, isCancelled: isCancelled, progress: progress)
            if let found = interval, found.width == 0 {
                interval = nil
                note = "all resamples are equal, so there is no interval"
            }
        case .permutation:
            p = PermutationTest(draws: draws, seed: seed).signFlip(
                differences, clusters: clusters, isCancelled: isCancelled, progress: progress)
        case .wilcoxon:
            p = WilcoxonTest.pratt(differences)?.p
            if p == nil { note = "no sample differs" }
            if clusters != nil { note = "the samples form clusters, which this test ignores" }
        }
    }

    /// The result in words: `other test, bootstrap: 95 % [-0.031, 0.012]`.
    public var sentence: String {
        var parts: [String] = []
        if let interval {
            parts.append("\(Format.share(interval.level)) \(Format.interval(interval.lower, interval.upper) ?? "")")
        }
        if let p { parts.append("p " + Format.pValue(p)) }
        if let note { parts.append(note) }
        return "other test, \(kind.rawValue): "
            + (parts.isEmpty ? "no result" : parts.joined(separator: "; "))
    }
}

extension EvalRetest: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("test", kind.rawValue)
            $0.member("lower", ifPresent: interval?.lower)
            $0.member("upper", ifPresent: interval?.upper)
            $0.member("p", ifPresent: p)
            $0.member("note", ifPresent: note)
        }
    }
}
