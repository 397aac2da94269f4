internal import EvalLogs
internal import Formatting
public import JSON
public import Statistics

extension EvalFairness {
    /// A sentence with the gaps between groups and the two extreme groups.
    public var sentence: String {
        let groups = fairness.groups.filter { $0.selection != nil }
        guard groups.count > 1,
            let most = groups.max(by: { ($0.selection ?? 0, $1.group) < ($1.selection ?? 0, $0.group) }),
            let least = groups.min(by: { ($0.selection ?? 0, $0.group) < ($1.selection ?? 0, $1.group) }),
            let gap = fairness.parityDifference
        else { return "\(slice) has a single group: there is nothing to compare" }
        func share(_ value: Double?) -> String { value.map(Format.share) ?? "none" }
        func points(_ value: Double?) -> String { value.map { Format.points($0) + " points" } ?? "unknown" }
        var text = "the model answers \(positive) for \(share(most.selection)) of \(most.group) and for "
        text += "\(share(least.selection)) of \(least.group)"
        text += ": demographic parity differs by \(points(gap))"
        if let ratio = fairness.parityRatio { text += " (ratio \(Format.fixed(ratio, digits: 2)))" }
        text += ", equalized odds by \(points(fairness.oddsDifference)), equal opportunity by "
        text += points(fairness.opportunityDifference)
        if let small = groups.min(by: { $0.count < $1.count }), small.count < 30 {
            text += "; \(small.group) has \(Format.count(small.count, "sample")), too few to be sure"
        }
        if left > 0 {
            text += "; \(Format.count(left, "sample")) left out, without an answer, a target, or \(slice)"
        }
        return text
    }

    /// Returns Wilson's interval of a group's selection rate.
    public func interval(of group: Fairness<String>.Rates) -> Interval? {
        group.selection.flatMap { ProportionInterval.wilson(share: $0, count: group.count) }
    }
}

extension EvalFairness: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("run", run.name)
            json.member("by", slice)
            json.member("positive", positive)
            json.member("sentence", sentence)
            json.member("left_out", left)
            json.member("parity_difference", ifPresent: fairness.parityDifference)
            json.member("parity_ratio", ifPresent: fairness.parityRatio)
            json.member("odds_difference", ifPresent: fairness.oddsDifference)
            json.member("odds_ratio", ifPresent: fairness.oddsRatio)
            json.member("opportunity_difference", ifPresent: fairness.opportunityDifference)
            json.objects("groups", of: fairness.groups) { group, json in
                json.member("group", group.group)
                json.member("samples", group.count)
                json.member("selection", ifPresent: group.selection)
                json.member("lower", ifPresent: interval(of: group)?.lower)
                json.member("upper", ifPresent: interval(of: group)?.upper)
                json.member("true_positive", ifPresent: group.truePositive)
                json.member("false_positive", ifPresent: group.falsePositive)
            }
        }
    }
}
