public import EvalLogs
internal import Statistics

/// Agreement of raters with each other, and with the score of the run.
///
/// If both raters gave only grades, the grades are compared (kappa with quadratic weights), otherwise passing or
/// failing. Skipped samples are ignored.
public struct RaterAgreement: Hashable, Sendable {
    /// Two raters of the same samples.
    public struct Pair: Hashable, Sendable {
        /// Name of the first rater.
        public var one: String
        /// Name of the second rater, or `score` for the run's own score.
        public var other: String
        /// Number of samples that both rated.
        public var samples: Int
        /// Share of samples on which both agree.
        public var percent: Double
        /// Cohen's kappa; `nil` if undefined, such as if all ratings are equal.
        public var kappa: Double?
        /// Whether grades were compared, instead of passing or failing.
        public var comparesGrades: Bool
    }

    /// Every pair of raters, then each rater with the run's own score.
    public var pairs: [Pair]
    /// Krippendorff's alpha of passing or failing over all raters, each of whom may have rated only a part; `nil` if
    /// undefined.
    public var alpha: Double?

    /// - Parameters:
    ///   - ratings: Current ratings of all raters, as returned by `ReviewStore.ratings(of:)`.
    ///   - rows: Samples, for the run's own score; empty to leave it out.
    public init(_ ratings: [Rating], rows: [EvalRow] = []) {
        let said = Dictionary(grouping: ratings.filter { $0.verdict.passes != nil }, by: \.rater).mapValues { ratings in
            Dictionary(ratings.map { (SampleEpoch($0.sample, $0.epoch), $0.verdict) }) { _, last in last }
        }
        let people = said.keys.sorted()
        let scored = Dictionary(
            rows.compactMap { row -> (SampleEpoch, Rating.Verdict)? in
                switch row.outcome {
                case .passed: (SampleEpoch(row.id, row.epoch), .pass)
                case .failed: (SampleEpoch(row.id, row.epoch), .fail)
                case .error, .unscored, .scored: nil
                }
            }
        ) { first, _ in first }
        var pairs: [Pair] = []
        for (place, one) in people.enumerated() {
            for other in people[(place + 1)...] {
                pairs.append(Self.pair(one, said[one] ?? [:], other, said[other] ?? [:]))
            }
        }
        if !scored.isEmpty {
            for one in people { pairs.append(Self.pair(one, said[one] ?? [:], "score", scored)) }
        }
        self.pairs = pairs.filter { $0.samples > 0 }
        // A fixed order keeps the sums reproducible.
        let samples = Set(said.values.flatMap(\.keys)).sorted { ($0.id, $0.epoch) < ($1.id, $1.epoch) }
        alpha =
            people.count < 2
            ? nil
            : Agreement.krippendorffAlpha(
                people.map { person in
                    samples.map { sample in (said[person]?[sample]?.passes).map { $0 ? 1 : 0 } }
                }, level: .nominal)
    }

    private struct SampleEpoch: Hashable {
        var id: String
        var epoch: Int

        init(_ id: String, _ epoch: Int) {
            self.id = id
            self.epoch = epoch
        }
    }

    private static func pair(
        _ one: String, _ its: [SampleEpoch: Rating.Verdict], _ other: String, _ others: [SampleEpoch: Rating.Verdict]
    ) -> Pair {
        let both = its.compactMap { sample, verdict in others[sample].map { (verdict, $0) } }
        let grades = both.compactMap { pair -> (Int, Int)? in
            guard case (.grade(let a), .grade(let b)) = pair else { return nil }
            return (a, b)
        }
        let comparesGrades = !both.isEmpty && grades.count == both.count
        let a = comparesGrades ? grades.map(\.0) : both.map { $0.0.passes == true ? 1 : 0 }
        let b = comparesGrades ? grades.map(\.1) : both.map { $0.1.passes == true ? 1 : 0 }
        let same = zip(a, b).count { $0 == $1 }
        return Pair(
            one: one, other: other, samples: both.count,
            percent: both.isEmpty ? 0 : Double(same) / Double(both.count),
            kappa: Agreement.cohenKappa(a, b, weights: comparesGrades ? .quadratic : .none),
            comparesGrades: comparesGrades)
    }
}
