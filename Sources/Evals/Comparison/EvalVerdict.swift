internal import EvalLogs
internal import Formatting
internal import Glibc
internal import Statistics
public import System
internal import Traces

/// A verdict on whether B may replace A, with its reasons.
public struct EvalVerdict: Sendable {
    /// Outcomes, from best to worst.
    public enum Outcome: Int, Hashable, Sendable, CaseIterable {
        case allowed
        /// The samples are not enough for a verdict.
        case cannotTell
        /// B is worse than allowed, beyond chance.
        case worse

        /// Exit status: 0, 2, or 3.
        public var exitCode: Int32 {
            switch self {
            case .allowed: 0
            case .cannotTell: 2
            case .worse: 3
            }
        }
    }

    /// The result of one rule.
    public struct Finding: Sendable {
        /// Rule of the gate; `nil` without a gate.
        public var rule: EvalGate.Rule?
        public var outcome: Outcome
        /// Comparison behind the finding.
        public var diff: EvalDiff
        /// The finding with its figures in one line.
        public var sentence: String
        /// Reason for the outcome, without a full stop; `nil` if the figures explain it.
        public var reason: String?
        /// Caveat that precedes the verdict, without a full stop: `A is incomplete`; `nil` if there is none.
        public var lead: String?
        /// Remedy as a whole sentence; empty if there is none.
        public var remedy = ""

        /// The verdict in words, without figures: `Inconclusive: B is still running.`
        public var words: String {
            let word =
                switch outcome {
                case .allowed: rule == nil && reason == nil ? "B is not worse" : "Allowed"
                case .worse: rule == nil ? "B is worse" : "B is worse than allowed"
                case .cannotTell: "Inconclusive"
                }
            let text = word + (reason.map { ": \($0)" } ?? "") + "." + (remedy.isEmpty ? "" : " \(remedy)")
            return lead.map { "\($0): \(Self.continued(text))" } ?? text
        }

        /// Returns the text as it continues after a colon; A and B stay capitals.
        static func continued(_ text: String) -> String {
            ["A ", "B "].contains { text.hasPrefix($0) } ? text : text.prefix(1).lowercased() + text.dropFirst()
        }

        /// The rule with its score: `accuracy>=-0.01 on answer`; the score if there is no rule.
        public var title: String {
            guard let rule else { return diff.measure.title }
            let score = EvalScoreKind.title(of: diff.measure.name)
            return rule.text + (rule.measure == diff.measure.name ? "" : " on \(score)")
        }
    }

    /// Findings, one per rule, in the order of the gate.
    public var findings: [Finding]

    /// The worst of the findings; inconclusive without any.
    public var outcome: Outcome {
        let outcomes = findings.map(\.outcome)
        return outcomes.max { $0.rawValue < $1.rawValue } ?? .cannotTell
    }
    /// Exit status of the command: 0, 2, or 3.
    public var exitCode: Int32 { outcome.exitCode }
    /// The sentences of the findings, one per line.
    public var sentence: String { findings.map(\.sentence).joined(separator: "\n") }

    /// The findings in words, each after its rule if there is one.
    public var words: String {
        findings.map { finding in
            finding.rule == nil ? finding.words : "\(finding.title): \(Finding.continued(finding.words))"
        }.joined(separator: "\n")
    }

    /// Creates the verdict without a gate: worse if the whole interval is on the bad side of 0; allowed if none of it
    /// is, or if it includes 0 and extends at most a point of a score to the bad side. All other cases are
    /// inconclusive.
    public init(_ diff: EvalDiff) {
        let side: EvalGate.Rule.Side = diff.measure.moreIsBetter ? .atLeast : .atMost
        var found = Self.finding(diff, nil, side, 0, mostLost: 0.05)
        if found.finding.outcome == .cannotTell, found.isOfChance, let total = diff.total, let interval = total.interval
        {
            let loss = diff.measure.moreIsBetter ? -interval.lower : interval.upper
            let gain = diff.measure.moreIsBetter ? interval.upper : -interval.lower
            let isScore = diff.measure.passesAt != nil && total.isShare
            if isScore, loss <= Self.point {
                found.finding.outcome = .allowed
                found.finding.reason = "no \(gain <= Self.point ? "difference" : "loss") of more than a point"
            } else if !isScore || loss <= 10 * Self.point {
                let bound = Self.bound(loss, isScore: isScore)
                let name = diff.measure.isPassing ? "accuracy" : diff.measure.name
                let rule = name + (diff.measure.moreIsBetter ? ">=-\(bound)" : "<=\(bound)")
                found.finding.remedy = "--gate \"\(rule)\" would allow this difference."
            }
        }
        found.finding.sentence =
            found.finding.words.dropLast(found.finding.remedy.isEmpty ? 1 : 0)
            + (found.finding.remedy.isEmpty ? ": " : " ")
            + diff.sentence + "."
        findings = [found.finding]
    }

    /// A hundredth of a score.
    private static let point = 0.01

    /// Returns a loss rounded up: to a whole point of a score, to two digits for anything else.
    private static func bound(_ loss: Double, isScore: Bool) -> String {
        guard !isScore else { return Format.fixed((loss * 100).rounded(.up) / 100, digits: 2) }
        guard loss > 0, loss.isFinite else { return "0" }
        let unit = pow(10, log10(loss).rounded(.down) - 1)
        return Format.metric((loss / unit).rounded(.up) * unit)
    }

    init(findings: [Finding]) { self.findings = findings }

    static func finding(_ diff: EvalDiff, _ rule: EvalGate.Rule, mostLost: Double) -> Finding {
        var finding = finding(diff, rule, rule.side, rule.bound, mostLost: mostLost).finding
        let word =
            switch finding.outcome {
            case .allowed: "allowed"
            case .worse: "worse than allowed"
            case .cannotTell: "inconclusive"
            }
        let reason = finding.reason.map { " (\($0))" } ?? ""
        let remedy = finding.remedy.isEmpty ? "" : " \(finding.remedy)"
        let lead = finding.lead.map { "\($0), " } ?? ""
        finding.sentence = "\(finding.title): \(lead)\(word)\(reason).\(remedy) \(diff.sentence)."
        return finding
    }

    /// Returns the finding: allowed if the whole interval is within the bound, worse if none of it is.
    private static func finding(
        _ diff: EvalDiff, _ rule: EvalGate.Rule?, _ side: EvalGate.Rule.Side, _ bound: Double, mostLost: Double
    ) -> (finding: Finding, isOfChance: Bool) {
        let unfinished = Self.unfinished(diff)
        func end(
            _ outcome: Outcome, _ reason: String? = nil, _ remedy: String = "", isOfChance: Bool = false
        ) -> (finding: Finding, isOfChance: Bool) {
            let found = Finding(
                rule: rule, outcome: outcome, diff: diff, sentence: "", reason: reason,
                lead: reason == unfinished?.reason ? nil : unfinished?.reason, remedy: remedy)
            return (found, isOfChance)
        }
        if diff.isOfOneRun { return end(.cannotTell, "A and B are the same run", "Name another run as B.") }
        let copies = diff.copiesSentence.map { (reason: $0, remedy: "Repeat the run with --no-cache.") }
        guard let total = diff.total, let interval = total.interval else {
            let why = unfinished ?? copies
            return end(.cannotTell, why?.reason ?? "there is no interval", why?.remedy ?? "")
        }
        let keeps = side == .atLeast ? interval.lower >= bound : interval.upper <= bound
        let breaks = side == .atLeast ? interval.upper < bound : interval.lower > bound
        if diff.isOfOtherSamples {
            return end(
                .cannotTell, "samples with the same name have different inputs",
                "To compare the means, use --unpaired.")
        }
        if breaks { return end(.worse) }
        if let unfinished { return end(.cannotTell, unfinished.reason, unfinished.remedy) }
        let lost = diff.lost + diff.missing
        let scored = total.samples + lost
        if Double(lost) > mostLost * Double(scored) {
            // Failed samples are often the hard ones, so the rest looks better than B is.
            return end(
                .cannotTell, "B has no value for \(lost) of \(scored) samples that have one in A",
                Self.remedy(lostBy: diff))
        }
        // If most answers are copies, equality was not observed.
        if let copies, 2 * diff.copies > diff.pairs.count { return end(.cannotTell, copies.reason, copies.remedy) }
        if keeps { return end(.allowed) }
        let why =
            bound == 0 ? "the interval includes 0" : "the interval includes the bound"
        return end(.cannotTell, why, isOfChance: true)
    }

    /// Returns which run is incomplete, and how to finish it; `nil` if both are complete.
    private static func unfinished(_ diff: EvalDiff) -> (reason: String, remedy: String)? {
        for (name, run) in [("A", diff.a), ("B", diff.b)] where run.state != .done {
            if run.state == .running { return ("\(name) is still running", "") }
            let goesOn = word(for: run).map { "Finish it with orrery eval resume \($0)." } ?? ""
            return ("\(name) is incomplete", goesOn)
        }
        return nil
    }

    private static func remedy(lostBy diff: EvalDiff) -> String {
        var ways: [String] = []
        if diff.lostToErrors > 0 {
            if diff.measure.passesAt != nil, diff.measure.higherIsBetter, !diff.options.countsErrorsAsFailures {
                ways.append("--errors-fail yes counts errors as failures")
            }
            if let word = word(for: diff.b) {
                ways.append("orrery eval resume \(word) --errors retries the failed samples")
            }
        }
        guard !ways.isEmpty else { return "" }
        return ways.joined(separator: ", ") + "."
    }

    /// Returns the word by which commands find a run of this workspace; `nil` for a log.
    private static func word(for run: EvalRun) -> String? {
        guard run.path == nil else { return nil }
        return run.name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) } ? run.name : run.key
    }
}

extension EvalGate {
    /// Returns the findings of each rule on a join.
    ///
    /// - Throws: `Problem` for a measure that the runs do not have.
    public func check(
        _ join: EvalJoin, options: EvalDiffOptions = EvalDiffOptions()
    ) throws(Problem) -> EvalVerdict {
        var diffs: [EvalMeasure: EvalDiff] = [:]
        var findings: [EvalVerdict.Finding] = []
        for rule in rules {
            let measure = try join.measure(named: rule.measure)
            let diff = diffs[measure] ?? EvalDiff(join, measure: measure, options: options)
            diffs[measure] = diff
            findings.append(EvalVerdict.finding(diff, rule, mostLost: mostLost))
        }
        return EvalVerdict(findings: findings)
    }
}
