internal import Configuration
internal import EvalLogs
internal import JSON
internal import System
internal import Traces

extension EvalTask {
    /// Returns the task with notes on samples that cannot be scored or grouped.
    ///
    /// - Throws: `Problem` if no figure is possible: there is no scorer, a scorer compares with targets that no
    ///   sample has, or no sample has a column to group by. Users should not pay for answers to learn that.
    func checked() throws(Problem) -> EvalTask {
        var task = self
        if scorers.isEmpty, !isJudgedByPeople {
            throw error(
                "scorers", "the task has no scorers",
                "Write [[scorers]] with kind = \"exact\" below it, or another kind that orrery eval explain scorers "
                    + "lists."
            )
        }
        try checkNames()
        for scorer in scorers { try task.check(scorer) }
        for (place, slice) in slices.enumerated() { try task.check(slice, at: place) }
        return task
    }

    /// Checks that score names are unique.
    private func checkNames() throws(Problem) {
        var seen: Set<String> = []
        for scorer in scorers {
            guard let score = try Scorers.make(scorer).scores.first?.name, !seen.insert(score).inserted else {
                continue
            }
            throw Problem(
                .invalid, path ?? name, line: scorer.settings.line, "two scorers have a score named \(score)",
                remedy: "Write name = \"...\" below one of them.")
        }
    }

    /// Checks that a scorer has something to compare with.
    private mutating func check(_ scorer: ScorerChoice) throws(Problem) {
        guard let kind = Scorers.kinds.first(where: { $0.name == scorer.kind }), !samples.isEmpty else { return }
        if kind.name == ChecksScorer.kind.name {
            let bare = samples.count { $0.checks.isEmpty }
            guard bare < samples.count || isJudgedByPeople else {
                throw error(
                    "tests", "no sample has checks, so the answers cannot be scored",
                    format == PromptfooFormat.name ? "Add assert to each test." : "Use another scorer.")
            }
            if bare > 0 { note(bare, "have no checks and get no score") }
        }
        let isAnswered = kind.settings.contains { setting in
            setting.replacesTargets && scorer.settings[setting.name].map { $0 != .null } ?? false
        }
        guard kind.needsTargets, !isAnswered else { return }
        let lacking = samples.count { $0.rightChoice == nil && $0.targets.allSatisfy(\.isEmpty) }
        guard lacking < samples.count else {
            throw Problem(
                .invalid, path ?? name, line: scorer.settings.line ?? lines["target"],
                "the scorer \(scorer.kind) compares with a target, but no sample has one", remedy: targetRemedy(kind))
        }
        if lacking > 0 { note(lacking, "have no target or an empty target for the scorer \(scorer.kind)") }
    }

    private func targetRemedy(_ kind: ScorerKind) -> String {
        if format == OpenAIEvalsFormat.name { return "Add an ideal to every line." }
        let known = columns
        let usual = ["target", "answer", "expected", "ideal", "label", "gold", "reference", "solution", "output"]
        let column = usual.first(where: known.contains) ?? NearestName.to("target", among: known) ?? "column"
        let other = kind.settings.first(where: \.replacesTargets).map { ", or set \($0.name) of the scorer" } ?? ""
        return "Write target = \"{{ \(column) }}\"\(other)."
    }

    /// Checks that samples can be grouped by a column.
    private mutating func check(_ slice: String, at place: Int) throws(Problem) {
        guard !samples.isEmpty else { return }
        guard samples.contains(where: { $0.fields[slice] != nil }) else {
            let known = columns
            let nearest = NearestName.suggestion(for: slice, among: known)
            throw error(
                "slices", "no sample has the column \(slice) named in slices",
                nearest
                    ?? (known.isEmpty ? "The data has no columns." : "Available: \(known.joined(separator: ", "))."))
        }
        let lacking = samples.count { !$0.slices.indices.contains(place) || $0.slices[place].isEmpty }
        guard lacking < samples.count else {
            throw error(
                "slices", "the column \(slice) named in slices has no text in any sample",
                "Name a column of strings, numbers, or Booleans.")
        }
        if lacking > 0 { note(lacking, "have no \(slice) and form a slice of their own") }
    }

    private mutating func note(_ count: Int, _ what: String) {
        notes.append("\(count) of \(samples.count) samples \(what).")
    }

    /// The columns of the first samples, in order.
    private var columns: [String] {
        var seen: Set<String> = []
        return samples.prefix(100).flatMap { ($0.fields.members ?? []).map(\.key) }.filter {
            seen.count < 50 && seen.insert($0).inserted
        }
    }

    private func error(_ key: String, _ problem: String, _ remedy: String) -> Problem {
        Problem(.failed, path ?? name, line: lines[key], problem, remedy: remedy)
    }
}
