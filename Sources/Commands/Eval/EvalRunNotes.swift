import Console
import EvalLogs
import Evals
import Formatting
import LanguageModels
import Workspace

/// Notes at the end of a run, printed after its figures.
struct EvalRunNotes {
    private let run: EvalRun
    private let workspace: Workspace

    init(_ run: EvalRun, in workspace: Workspace) {
        self.run = run
        self.workspace = workspace
    }

    var lines: [String] {
        var lines = [summary]
        if let problem = run.problem { lines.append("orrery: \(problem)") }
        if run.state != .done { lines.append(advice) }
        if let empty { lines.append(empty) }
        let isErred = (run.errors ?? 0) > 0
        let isUnscored = (run.unscored ?? 0) > 0
        guard isErred || isUnscored else { return lines }
        let problems = problems()
        if isErred, let errors = run.errors {
            lines.append(
                "orrery: \(Format.count(errors)) of \(Format.count(run.completed)) samples ended in an error and are "
                    + "excluded from all figures. To list them, run: orrery eval show \(run.key) --errors. To repeat "
                    + "them, run: orrery eval resume \(run.key) --errors")
            if let first = problems.firstError {
                lines.append("orrery: first error: \(first.id): \(first.problem ?? "no reason recorded")")
            }
        }
        if let words = run.unscoredWords, isUnscored {
            lines.append(
                "orrery: \(words). Their answers are saved; to score them again, run: orrery eval resume \(run.key) "
                    + "--errors"
            )
            if let (problem, count) = problems.commonest {
                lines.append("orrery: most common problem (\(count) times): \(problem)")
            }
        }
        let without = run.scoresWithoutValue
        if !without.isEmpty, run.completed > (run.errors ?? 0) {
            lines.append("orrery: no sample has a value for \(without.joined(separator: ", "))")
        }
        return lines
    }

    private var summary: String {
        var words = ["run \(run.key)", run.stateWord, EvalText.sampleWords(run)]
        if let errors = run.errors, errors > 0 { words.append("\(Format.count(errors)) ended in an error") }
        if let unscored = run.unscored, unscored > 0 { words.append("\(Format.count(unscored)) without a score") }
        if let cached = run.cachedWords { words.append(cached) }
        if let time = run.workNanoseconds { words.append(Format.duration(nanoseconds: Int(time))) }
        if let usage = run.usage { words.append("\(Format.count(usage.total)) total tokens") }
        if let cost = run.cost { words.append(Format.money(cost)) }
        return words.joined(separator: ", ")
    }

    /// Sentence with the number of empty answers; `nil` if there are none or the samples do not generate text.
    private var empty: String? {
        guard let number = Int64(run.key), let log = try? EvalStore(workspace).log(number) else { return nil }
        var (first, count): (Int?, Int) = (nil, 0)
        try? log.read { rows in
            for row in rows where row.outcome != .error && row.answer.isEmpty {
                first = first ?? row.index
                count += 1
            }
            return true
        }
        guard let first, let sample = try? log.sample(first), sample.messages.contains(where: { $0.role == .assistant })
        else { return nil }
        let answers = run.completed - (run.errors ?? 0)
        return "orrery: \(Format.count(count)) of \(Format.count(answers)) answers are empty"
    }

    /// Command that resumes the run: an exhausted budget must be raised, and a budget that cannot be enforced removed.
    private var advice: String {
        let plain = "To resume, run: orrery eval resume \(run.key)"
        guard let problem = run.problem, let number = Int64(run.key),
            let detail = try? EvalStore(workspace).detail(number)
        else { return plain }
        let spent = detail.spent
        let flag: String
        func isSpent(_ unit: String) -> Bool {
            [" \(unit) is exhausted", " \(unit) is spent", " \(unit) are taken"].contains { problem.contains($0) }
        }
        if isSpent("requests") {
            flag = "--max-requests N, with N above \(spent.requests) (used so far)"
        } else if isSpent("tokens") {
            flag = "--max-tokens N, with N above \(spent.usage.total) (used so far)"
        } else if isSpent("seconds") {
            flag =
                "--max-seconds N, with N above \(Int(spent.seconds.rounded(.up))) (used so far)"
        } else if problem.hasPrefix("the budget of $") || problem.hasPrefix("already $") {
            flag = "--max-cost N, with N above \(Format.money(spent.cost ?? 0)) (spent so far)"
        } else if problem.contains("budget in tokens cannot be ") {
            flag = "--max-tokens none"
        } else if problem.contains("budget in dollars cannot be ") {
            flag = "--max-cost none"
        } else {
            return plain
        }
        return "To resume, run: orrery eval resume \(run.key) \(flag)"
    }

    private func problems() -> (firstError: EvalRow?, commonest: (problem: String, count: Int)?) {
        guard let number = Int64(run.key), let log = try? EvalStore(workspace).log(number) else { return (nil, nil) }
        var first: EvalRow?
        var counts: [String: Int] = [:]
        try? log.read { rows in
            for row in rows {
                if row.outcome == .error, first == nil { first = row }
                guard row.outcome == .unscored, let problem = row.problem else { continue }
                // Problems that differ in every sample are represented by the first ones.
                if counts[problem] != nil || counts.count < 1000 { counts[problem, default: 0] += 1 }
            }
            return true
        }
        let commonest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return (first, commonest.map { (problem: $0.key, count: $0.value) })
    }
}

extension EvalRun {
    /// Expected scores for which no sample has a value.
    var scoresWithoutValue: [String] {
        scores.map(\.name).filter { name in
            let figures = metrics.filter { $0.score == name }
            return !figures.isEmpty && figures.allSatisfy { $0.count == 0 && !$0.value.isFinite }
        }
    }
}
