internal import Console
internal import Evals
internal import Traces

extension EvalPanel {
    package func disabledReason(_ action: EvalAction) -> String? {
        switch action {
        case .undo: page != .queue ? "works only in the queue: press Q" : nil
        case .grade, .pass, .comment:
            page != .queue
                ? "works only in the queue: press Q"
                : queue.entry == nil
                    ? "there are no samples to judge" : isSampleShown ? nil : "the sample is still loading"
        case .nextRegression, .previousRegression: whyNoRegression
        case .nextMatch, .previousMatch: whyNoMatch
        case .filter: nil
        case .mark: page == .runs ? runs.entries.isEmpty ? Self.noRuns : nil : "mark runs in the list of runs"
        case .diff: runs.entries.count < 2 ? "needs at least two runs" : nil
        case .sides: whyNoSides
        case .baseline: open == nil ? "open a run first" : runs.entries.count < 2 ? "needs at least two runs" : nil
        case .matrix, .queue: target == nil && open == nil ? Self.noRuns : nil
        case .failures: whyNoFailures
        case .stop, .pause, .more, .fewer: whyNotSteered
        case .resume, .again, .failedAgain: whyNotResumed(action)
        case .rename: page == .queue ? nil : whyNotOwn(target.map { [$0] } ?? [])
        case .delete: whyNotOwn(chosen)
        case .elsewhere, .copy: selection == nil ? "select something first" : nil
        case .export:
            page == .runs
                ? chosen.isEmpty ? Self.noRuns : nil
                : page != .samples || open == nil ? "open a run's samples first" : nil
        case .chart, .previousChart: page == .runs ? nil : "charts appear only next to the list of runs"
        case .sort: page == .runs || page == .queue ? nil : "only the list of runs can be sorted"
        case .view: page == .runs || page == .diff ? nil : "only runs and diffs have views"
        case .formula: page == .runs || page == .queue ? nil : "only charts have formulas"
        case .open: whyNotOpened
        default: nil
        }
    }

    private static let noRuns = "no runs yet: press r to run a task, or i to open a log"

    private var whyNoRegression: String? {
        switch page {
        case .samples:
            guard let open else { return "open a run first" }
            guard open.landmarks.isEmpty else { return nil }
            let what = "no listed sample " + (open.contrast == nil ? "failed" : "got worse")
            return what + (open.isRead ? "" : " so far: still reading")
        case .diff, .sides:
            return diff.contrast.map { $0.pairs.contains(where: \.isRegression) ? nil : "no sample got worse" }
                ?? "compare two runs first"
        default: return "open a run's samples first"
        }
    }

    private var whyNoMatch: String? {
        if page == .sides { return sides.alignment.firstDifference == nil ? "both runs took the same steps" : nil }
        guard isReadingText else { return page == .samples ? nil : "open samples first" }
        let isSearched =
            (pane == .cause ? failures.text : pane == .before ? diff.before : pane == .after ? diff.after : text)
            .search != nil
        return isSearched ? nil : "search first: press /"
    }

    private var whyNoSides: String? {
        page == .sides
            ? "the steps are already side by side"
            : page == .diff
                ? diff.pair == nil ? "select a sample first" : nil : "compare two runs first: press d"
    }

    private var whyNoFailures: String? {
        guard let id = target?.id ?? open?.id else { return "select a run first" }
        guard let open, open.id == id, open.isRead else { return nil }
        let missed = [EvalRow.Outcome.failed, .error, .unscored].reduce(0) { $0 + open.index.count(of: $1) }
        return missed == 0 ? "no sample in \(runs.title(open)) went wrong" : nil
    }

    private var whyNotSteered: String? {
        guard let target else { return "select a run first" }
        if target.isForeign { return "another program started this run" }
        if target.isAlive { return nil }
        return target.run.state == .done
            ? "\(target.title) is done" : "\(target.title) is \(target.run.state.rawValue): press a to resume it"
    }

    private func whyNotResumed(_ action: EvalAction) -> String? {
        guard let target else { return "select a run first" }
        if target.isForeign { return "another program started this run: r runs a task here" }
        if target.isAlive { return action == .resume && target.isPaused ? nil : "\(target.title) is already running" }
        let run = target.run
        switch action {
        case .resume where run.state == .done:
            return "\(target.title) is done: there is nothing to resume"
                + (errors(target) > 0 ? ", but you can press A to retry errors" : "")
        case .again where errors(target) == 0 && run.state == .done && unscored(target) == 0:
            return "every sample in \(target.title) has an answer and a score: there is nothing to retry"
        case .failedAgain where open?.id == target.id && open?.isRead == true && open?.index.count(of: .failed) == 0:
            return "no sample in \(target.title) failed"
        default: return nil
        }
    }

    private func errors(_ entry: EvalRunEntry) -> Int {
        max(entry.errors, open?.id == entry.id ? open?.index.count(of: .error) ?? 0 : 0)
    }

    /// Returns the number of samples without a score; `nil` if unknown.
    private func unscored(_ entry: EvalRunEntry) -> Int? {
        if let open, open.id == entry.id, open.isRead { return open.index.count(of: .unscored) }
        return entry.metric.map { entry.completed - entry.errors - $0.count }
    }

    private func whyNotOwn(_ entries: [EvalRunEntry]) -> String? {
        guard !entries.isEmpty else { return "select a run first" }
        return entries.allSatisfy(\.isForeign) ? "another program's log cannot be changed" : nil
    }

    private var whyNotOpened: String? {
        switch page {
        case .runs: runs.entries.isEmpty ? Self.noRuns : nil
        case .samples, .queue: selection == nil ? "select a sample first" : nil
        case .failures: failures.cluster == nil ? "there is nothing to open yet" : nil
        case .sides: sides.isRead ? nil : "the steps are still loading"
        case .diff: diff.pair == nil ? "select a sample first" : nil
        case .matrix: matrix.selected == nil ? "there is no run in this cell" : nil
        }
    }
}
