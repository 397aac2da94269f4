internal import Formatting
public import JSON
internal import Statistics

/// Agreement of a judge of two runs with human ratings of both runs' answers.
///
/// People prefer the answer with the higher mean rating: grades of 1 to 5 are mapped to 0 to 1, pass is 1, and fail is
/// 0; equal means are a tie. A sample counts only if both answers are rated and both replies were readable.
public struct PreferenceAgreement: Hashable, Sendable {
    /// Number of samples with both.
    public var count: Int
    /// Share of samples on which people and judge agree: A, B, or tie.
    public var agreement: Double
    /// Cohen's kappa over the three outcomes; `nil` if nothing varies.
    public var kappa: Double?

    /// - Parameters:
    ///   - outcomes: Outcome of the judge by sample name.
    ///   - a: Ratings of A's answers, as returned by `ReviewStore.ratings(of:)`, and of B's answers.
    /// - Returns: `nil` if no sample has both.
    public init?(_ outcomes: [String: PairwiseJudge.Verdict], _ a: [Rating], _ b: [Rating]) {
        let (ratedA, ratedB) = (Self.means(a), Self.means(b))
        var judged: [String] = []
        var people: [String] = []
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
            guard let one = ratedA[id], let other = ratedB[id] else { continue }
            judged.append(outcome.rawValue)
            let verdict: PairwiseJudge.Verdict = one == other ? .tie : one > other ? .first : .second
            people.append(verdict.rawValue)
        }
        guard !judged.isEmpty else { return nil }
        count = judged.count
        agreement = Double(zip(judged, people).count { $0 == $1 }) / Double(judged.count)
        kappa = Agreement.cohenKappa(judged, people)
    }

    /// Returns the mean rating of each sample's first epoch.
    private static func means(_ ratings: [Rating]) -> [String: Double] {
        var sums: [String: (sum: Double, count: Double)] = [:]
        for rating in ratings where rating.epoch == 1 {
            let value: Double
            switch rating.verdict {
            case .grade(let grade): value = Double(grade - 1) / 4
            case .pass: value = 1
            case .fail: value = 0
            case .skipped: continue
            }
            let before = sums[rating.sample] ?? (0, 0)
            sums[rating.sample] = (before.sum + value, before.count + 1)
        }
        return sums.mapValues { $0.sum / $0.count }
    }

    /// The agreement in one line.
    public var sentence: String {
        "reviewers rated both answers of \(count) samples and agree with the judge on "
            + Format.share(agreement) + (kappa.map { ", kappa \(Format.metric($0))" } ?? "")
    }
}

extension PreferenceAgreement: JSONRepresentable {
    /// Writes the agreement without an undefined kappa.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("count", count)
            $0.member("agreement", agreement)
            $0.member("kappa", ifPresent: kappa)
        }
    }
}
