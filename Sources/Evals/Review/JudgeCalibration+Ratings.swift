public import EvalLogs
public import JSON
internal import Statistics

extension JudgeCalibration {
    /// Returns pairs of human verdict and score: a sample passes if most of its raters passed it; ties are left out.
    ///
    /// - Parameters:
    ///   - rows: Samples; those without ratings are left out.
    ///   - score: Index of the judge's score in `EvalRun.scores`.
    ///   - ratings: Current ratings of all raters, as returned by `ReviewStore.ratings(of:)`.
    public static func items(_ rows: [EvalRow], score: Int, ratings: [Rating]) -> [Item] {
        let said = Dictionary(grouping: ratings.filter { $0.verdict.passes != nil }) { "\($0.epoch) \($0.sample)" }
        return rows.compactMap { row in
            guard let opinions = said["\(row.epoch) \(row.id)"] else { return nil }
            let passes = opinions.count { $0.verdict.passes == true }
            guard passes * 2 != opinions.count else { return nil }
            let value = row.scores.indices.contains(score) && row.scores[score].isFinite ? row.scores[score] : nil
            return Item(id: row.id, judge: value, passes: passes * 2 > opinions.count)
        }
    }
}

extension JudgeCalibration: JSONRepresentable {
    /// Writes the calibration without undefined values; disagreements come first.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("threshold", threshold)
            json.member("chosen_on", chosenOn)
            json.member("reported_on", reportedOn)
            json.member("unread", unread)
            json.member("kappa", ifPresent: kappa)
            json.member("alpha", ifPresent: alpha)
            json.member("agreement", ifPresent: agreement)
            json.member("agreement_lower", ifPresent: agreementInterval?.lower)
            json.member("agreement_upper", ifPresent: agreementInterval?.upper)
            json.member("kappa_lower", ifPresent: kappaInterval?.lower)
            json.member("kappa_upper", ifPresent: kappaInterval?.upper)
            json.member("tells_apart", tellsApart)
            json.member("too_few", isOfFew)
            json.member("both_pass", bothPass)
            json.member("judge_only", judgeOnly)
            json.member("people_only", peopleOnly)
            json.member("both_fail", bothFail)
            json.objects("items", of: items) { item, json in
                json.member("id", item.id)
                json.member("judge", ifPresent: item.judge)
                json.member("passes", item.passes)
            }
        }
    }
}
