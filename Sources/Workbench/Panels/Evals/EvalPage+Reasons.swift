internal import Console
internal import EvalLogs
internal import Evals

/// Words of actions that depend on the view, and reasons why actions are unavailable.
extension EvalPage {
    var wordingOfOpen: ActionWording? {
        switch view {
        case .runs: return ActionWording(hint: "samples", description: "open the run's samples")
        case .samples: return .first("trace", "open the sample's trace at the failing step")
        case .failures: return .first("its samples", "list the samples of the group")
        case .diff where screen.focus == .pairs:
            return .first("side by side", "show the steps of both runs side by side, at the first difference")
        case .diff: return .first("trace", "open the trace of this run")
        case .sides: return .first("trace", "open the highlighted run's step in its trace")
        case .matrix: return .first("samples", "open the samples of the run in the cell")
        case .queue: return ActionWording(hint: "trace", description: "open the sample's trace")
        }
    }

    var wordingOfFilter: ActionWording {
        func find(_ what: String) -> ActionWording { ActionWording(hint: "find", description: "find \(what)") }
        switch view {
        case .runs where screen.focus != .about:
            return ActionWording(
                hint: "filter", description: "show runs with these words in name, task, model, or state")
        case .samples where screen.focus != .sample: return ActionWording(hint: "filter", isFirst: true)
        case .diff where screen.focus == .pairs:
            return ActionWording(hint: "filter", description: "list samples by words in their name or input")
        case .runs, .samples, .diff: return find("text")
        case .failures: return find("text in the sample")
        case .sides: return find("text on both sides")
        case .matrix: return find("a cell by words in its prompt or model")
        case .queue: return ActionWording(hint: nil, description: "find text")
        }
    }

    static let noRuns = "no runs yet: press r to run a task, or i to open a log"

    var whyNoRun: String? { target == nil && open == nil ? Self.noRuns : nil }
    var whyNoSelection: String? { selection == nil ? "select something first" : nil }
    var whyNoComparison: String? { runs.entries.count < 2 ? "needs at least two runs" : nil }
    var whyNoChart: String? { view == .runs ? nil : "charts appear only next to the list of runs" }
    var whyNoQueue: String? { view == .queue ? nil : "works only in the queue: press Q" }

    var whyNotJudged: String? {
        if let whyNoQueue { return whyNoQueue }
        guard queue.entry != nil else { return "there are no samples to judge" }
        return isSampleShown ? nil : "the sample is still loading"
    }

    var whyNotOpened: String? {
        switch view {
        case .runs: runs.entries.isEmpty ? Self.noRuns : nil
        case .samples, .queue: selection == nil ? "select a sample first" : nil
        case .failures: cluster == nil ? "there is nothing to open yet" : nil
        case .sides: sides.isRead ? nil : "the steps are still loading"
        case .diff: diff.pair == nil ? "select a sample first" : nil
        case .matrix: matrix.selected == nil ? "there is no run in this cell" : nil
        }
    }

    var whyNoRegression: String? {
        switch view {
        case .samples:
            guard let open else { return "open a run first" }
            guard open.landmarks.isEmpty else { return nil }
            let what = "no listed sample " + (open.contrast == nil ? "failed" : "got worse")
            return what + (open.isRead ? "" : " so far: still reading")
        case .diff, .sides:
            guard let contrast = diff.contrast else { return "compare two runs first" }
            return contrast.pairs.contains(where: \.isRegression) ? nil : "no sample got worse"
        default: return "open a run's samples first"
        }
    }

    var whyNoSides: String? {
        switch view {
        case .sides: "the steps are already side by side"
        case .diff: diff.pair == nil ? "select a sample first" : nil
        default: "compare two runs first: press d"
        }
    }

    var whyNoFailures: String? {
        guard let id = target?.id ?? open?.id else { return "select a run first" }
        guard let open, open.id == id, open.isRead, open.index.missed == 0 else { return nil }
        return "no sample in \(runs.title(open)) went wrong"
    }

    var whyNoExport: String? {
        if view == .runs { return chosen.isEmpty ? Self.noRuns : nil }
        return view == .samples && open != nil ? nil : "open a run's samples first"
    }

    static func whyNotOwn(_ entries: [EvalRunEntry]) -> String? {
        guard !entries.isEmpty else { return "select a run first" }
        return entries.allSatisfy(\.isForeign) ? "another program's log cannot be changed" : nil
    }

    // MARK: Running

    var whyNotSteered: String? {
        guard let target else { return "select a run first" }
        if target.isForeign { return "another program started this run" }
        if target.isAlive { return nil }
        return target.run.state == .done
            ? "\(target.title) is done" : "\(target.title) is \(target.run.state.rawValue): press a to resume it"
    }

    /// Why the run cannot be started again, for any of its samples.
    private var whyNotStarted: String? {
        guard let target else { return "select a run first" }
        if target.isForeign { return "another program started this run: r runs a task here" }
        return target.isAlive ? "\(target.title) is already running" : nil
    }

    var whyNotResumed: String? {
        if target?.isForeign == false, target?.isAlive == true, target?.isPaused == true { return nil }
        guard whyNotStarted == nil, let target, target.run.state == .done else { return whyNotStarted }
        return "\(target.title) is done: there is nothing to resume"
            + (errors(target) > 0 ? ", but you can press A to retry errors" : "")
    }

    var whyNotRetried: String? {
        guard whyNotStarted == nil, let target else { return whyNotStarted }
        guard errors(target) == 0, target.run.state == .done, unscored(target) == 0 else { return nil }
        return "every sample in \(target.title) has an answer and a score: there is nothing to retry"
    }

    var whyNotRerun: String? {
        guard whyNotStarted == nil, let target else { return whyNotStarted }
        guard let open, open.id == target.id, open.isRead, open.index.count(of: .failed) == 0 else { return nil }
        return "no sample in \(target.title) failed"
    }

    private func errors(_ entry: EvalRunEntry) -> Int {
        max(entry.errors, open?.id == entry.id ? open?.index.count(of: .error) ?? 0 : 0)
    }

    /// Returns the number of samples without a score; `nil` if unknown.
    private func unscored(_ entry: EvalRunEntry) -> Int? {
        if let open, open.id == entry.id, open.isRead { return open.index.count(of: .unscored) }
        return entry.metric.map { entry.completed - entry.errors - $0.count }
    }
}
