internal import Console
internal import Evals

extension EvalPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add(
            "h", "left", name: "left", "go left, or to the previous sample",
            wording: words([
                .sides: .first("left run", "select the left run"), .matrix: .hidden("go to the model on the left"),
                .queue: .hidden("go to the previous sample"),
            ])
        ) { $0.moveSideways(by: -1) }
        actions.add(
            "l", "right", name: "right", "go right, or to the next sample",
            wording: words([
                .sides: .first("right run", "select the right run"), .matrix: .hidden("go to the model on the right"),
                .queue: .first("next", "go to the next sample"),
            ])
        ) { $0.moveSideways(by: 1) }
        actions.add(
            "enter", name: "open", "open the run's samples, or a sample's trace at the failing step", hint: "open",
            wording: \.wordingOfOpen, unless: \.whyNotOpened
        ) { $0.openSelected() }
        addFinding(to: &actions)
        addComparing(to: &actions)
        addReading(to: &actions)
        addRunning(to: &actions)
        addJudging(to: &actions)
        addManaging(to: &actions)
    }

    /// Returns the words of an action by view.
    private static func words(_ words: [View: ActionWording]) -> (Self) -> ActionWording? { { words[$0.view] } }

    /// Returns the wording of an action that the footer omits in some views.
    private static func hidden(in views: Set<View>) -> (Self) -> ActionWording? {
        { views.contains($0.view) ? ActionWording(hint: nil) : nil }
    }

    private static func addFinding(to actions: inout Actions<Self>) {
        actions.group("Finding")
        let worse = ActionWording.first("next worse", "go to the next sample that got worse")
        actions.add(
            "]r", name: "next-regression", "go to the next regression or failure", hint: "next failure",
            wording: { page in
                switch page.view {
                case .runs: ActionWording(hint: nil)
                case .samples where page.open?.contrast == nil: .first("next failure", "go to the next failed sample")
                case .samples, .diff, .sides: worse
                default: nil
                }
            }, unless: \.whyNoRegression
        ) { $0.nextRegression(forward: true) }
        actions.add(
            "[r", name: "previous-regression", "go to the previous regression or failure",
            wording: words([
                .runs: ActionWording(hint: nil), .sides: .hidden("go to the previous sample that got worse"),
            ]), unless: \.whyNoRegression
        ) { $0.nextRegression(forward: false) }
        actions.add(
            "/", name: "filter",
            "filter samples by failed, error, changed, slice=value, or words; find words in text", hint: "filter",
            wording: \.wordingOfFilter
        ) { $0.askFilter() }
        actions.add(
            "W", name: "what-went-wrong", "group failures by what went wrong", hint: "what went wrong",
            wording: hidden(in: [.failures, .diff, .sides, .queue]), unless: \.whyNoFailures
        ) { page in
            guard let run = page.target?.id ?? page.open?.id else { return [] }
            if page.view != .failures { page.origin = page.view == .queue ? .runs : page.view }
            page.go(to: .failures)
            return page.open?.id == run ? [] : page.show(run)
        }
        actions.add(
            "n", name: "next-match", "go to the next match",
            wording: words([.sides: .first("next difference", "go to the next step that differs")]),
            unless: \.whyNoMatch
        ) { $0.nextMatch(forward: true) }
        actions.add(
            "N", name: "previous-match", "go to the previous match",
            wording: words([.sides: .hidden("go to the previous step that differs")]), unless: \.whyNoMatch
        ) { $0.nextMatch(forward: false) }
    }

    private static func addComparing(to actions: inout Actions<Self>) {
        actions.group("Comparing")
        actions.add(
            "m", "space", name: "mark", "mark or unmark the run", hint: "mark",
            unless: { page in
                guard page.view == .runs else { return "mark runs in the list of runs" }
                return page.runs.entries.isEmpty ? noRuns : nil
            }
        ) { page in
            guard let entry = page.runs.selected else { return [] }
            page.runs.toggleMark(entry.id)
            page.runs.list.move(by: 1)
            return []
        }
        actions.add(
            "d", name: "diff", "compare the marked runs, or this run with its task's previous run", hint: "diff",
            wording: hidden(in: [.failures, .diff, .sides, .queue]), unless: \.whyNoComparison
        ) { $0.compareMarked() }
        actions.add(
            "t", name: "side-by-side", "show the steps of both runs side by side, at the first difference",
            wording: hidden(in: [.sides]), unless: \.whyNoSides
        ) { page in
            page.go(to: .sides)
            page.screen.focus = .rows
            return []
        }
        actions.add(
            "b", name: "baseline", "compare the samples with another run",
            wording: { page in
                guard page.view == .samples else { return nil }
                return page.open?.contrast == nil
                    ? ActionWording(hint: "baseline", description: "compare the samples with another run")
                    : ActionWording(
                        hint: "no baseline", description: "stop comparing the samples with the baseline")
            }, unless: { $0.open == nil ? "open a run first" : $0.whyNoComparison }
        ) { $0.askBaseline() }
        actions.add(
            "M", name: "matrix", "show the runs as a matrix of prompts by models", unless: \.whyNoRun
        ) { page in
            page.matrix.show(page.runs.entries, about: page.target)
            page.go(to: .matrix)
            return []
        }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "v", name: "view", "show the overview, slices, or settings of a run; in a diff, one kind of change",
            hint: "view",
            wording: words([
                .runs: ActionWording(hint: "view", description: "show the run's overview, slices, or settings"),
                .diff: ActionWording(
                    hint: "one kind", description: "show one kind of change: broken, fixed, and so on"),
                .sides: ActionWording(hint: nil),
            ]), unless: { $0.view == .runs || $0.view == .diff ? nil : "only runs and diffs have views" }
        ) { page in
            if page.view == .diff {
                page.diff.nextQuadrant()
            } else {
                page.about = page.about.next
                page.screen.reveal(.about)
            }
            return []
        }
        actions.add("c", name: "chart", "show the next chart", hint: "chart", unless: \.whyNoChart) {
            $0.changeChart(by: 1)
        }
        actions.add("B", name: "previous-chart", "show the previous chart", unless: \.whyNoChart) {
            $0.changeChart(by: -1)
        }
        actions.add(
            "f", name: "sums", "show or hide formulas and sums; in the queue, fail the sample",
            wording: words([
                .runs: .hidden("show or hide formulas and sums"), .queue: .first("fail", "fail the sample"),
            ]), unless: { $0.view == .runs || $0.view == .queue ? nil : "only charts have formulas" }
        ) { page in
            if page.view == .queue { return page.rate(.fail) }
            page.showsSums.toggle()
            page.screen.reveal(.chart)
            return []
        }
        actions.add(
            "s", name: "sort", "sort runs by the next column; in the queue, skip the sample",
            wording: words([
                .runs: .hidden("sort the runs by the next column"), .queue: .first("skip", "skip the sample for now"),
            ]), unless: { $0.view == .runs || $0.view == .queue ? nil : "only the list of runs can be sorted" }
        ) { page in
            if page.view == .queue { return page.rate(.skipped) }
            page.sortRuns()
            return []
        }
        actions.add("w", name: "wrap", "wrap or truncate long lines") { page in
            page.changeTexts { $0.setWraps(!$0.wraps) }
        }
    }

    private mutating func changeChart(by step: Int) {
        chart.next(step, material)
        showsSums = false
        screen.reveal(.chart)
    }

    /// Sorts by the next visible column.
    private mutating func sortRuns() {
        let table = EvalRunTable(rows: runs).table
        let shown = screen.area(of: .runs).map { table.shownColumns(in: $0) } ?? Array(table.columns.indices)
        runs.nextOrder(among: shown.compactMap(EvalRunTable.Column.init))
    }

    private static func addRunning(to actions: inout Actions<Self>) {
        let quiet: Set<View> = [.samples, .failures, .diff, .sides, .matrix, .queue]
        actions.group("Running")
        actions.add("r", name: "run", "run a task", hint: "run", writes: true, wording: hidden(in: quiet)) {
            $0.askTask()
        }
        actions.add(
            "x", name: "stop", "stop the run after confirmation; finished samples are saved", hint: "stop",
            writes: true, unless: \.whyNotSteered
        ) { $0.askStop() }
        actions.add(
            "a", name: "resume", "resume a run where it stopped", hint: "resume", writes: true,
            wording: hidden(in: quiet), unless: \.whyNotResumed
        ) { $0.target?.isPaused == true ? $0.pauseRun() : $0.startAgain { .rest(of: $0) } }
        actions.add(
            "A", name: "run-errors", "retry samples that ended in an error, and judge unscored samples again",
            writes: true, unless: \.whyNotRetried
        ) { $0.startAgain { .errors(of: $0) } }
        actions.add(
            "F", name: "run-failed", "run the failed samples as a new run", writes: true, unless: \.whyNotRerun
        ) { $0.startAgain { .failed(of: $0) } }
        actions.add("P", name: "pause", "pause or resume the run", writes: true, unless: \.whyNotSteered) {
            $0.pauseRun()
        }
        actions.add(
            "+", "=", name: "more", "allow more samples in flight", writes: true, unless: \.whyNotSteered
        ) { $0.changeConcurrency(by: 1) }
        actions.add("-", name: "fewer", "allow fewer samples in flight", writes: true, unless: \.whyNotSteered) {
            $0.changeConcurrency(by: -1)
        }
    }

    private static func addJudging(to actions: inout Actions<Self>) {
        actions.group("Judging")
        actions.add(
            "Q", name: "queue", "judge samples one by one", hint: "queue",
            wording: hidden(in: [.diff, .sides, .queue]), unless: \.whyNoRun
        ) { $0.showQueue() }
        actions.add(
            "p", name: "pass", "in the queue: pass the sample", writes: true,
            wording: words([.queue: .first("pass", "pass the sample")]), unless: \.whyNotJudged
        ) { $0.rate(.pass) }
        actions.add(
            "S", name: "grade", "in the queue: grade the sample from bad to excellent", writes: true,
            wording: words([.queue: .first("grade", "grade the sample from bad to excellent")]),
            unless: \.whyNotJudged
        ) { $0.askGrade() }
        actions.add(
            "u", name: "undo", "in the queue: undo the last judgment", writes: true,
            wording: words([.queue: .first("undo", "undo the last judgment")]), unless: \.whyNoQueue
        ) { $0.undoRating() }
        actions.add(
            "C", name: "comment", "in the queue: add a note to the sample", writes: true,
            wording: words([.queue: .first("comment", "add a note to the sample")]), unless: \.whyNotJudged
        ) { $0.askNote() }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add(
            "i", name: "open-log", "open a log from Inspect, lm-eval, promptfoo, garak, or OpenAI evals",
            hint: "open a log", wording: hidden(in: [.failures, .diff, .sides, .matrix, .queue])
        ) { _ in
            .browse(
                "Open an eval log", .fileOrFolder,
                isExpected: { name in [".eval", ".json", ".jsonl"].contains { name.hasSuffix($0) } }
            ) { $0.openLog(PathCompletion.expanded($1)) }
        }
        actions.add(
            "o", name: "open-elsewhere", "open the step in another panel: Tokens, Retrieval, or Attention",
            unless: \.whyNoSelection
        ) { $0.openElsewhere() }
        actions.add(
            "y", name: "copy", "copy the sample or the metrics as Markdown",
            wording: words([
                .runs: .hidden("copy the metrics as Markdown"), .samples: .hidden("copy the sample as Markdown"),
                .failures: .hidden("copy the groups as Markdown"),
                .diff: .hidden("copy the comparison as a sentence"),
                .sides: .hidden("copy the highlighted run's step"),
            ]), unless: \.whyNoSelection
        ) { $0.copy() }
        actions.add(
            "e", name: "export", "write the listed samples to a file (.csv or .jsonl)", hint: "export",
            wording: { page in
                guard page.view == .runs else { return nil }
                return ActionWording(
                    hint: page.runs.marked.count > 1 ? "export marked" : nil,
                    description: "write the samples of this run or the marked runs to files")
            }, unless: \.whyNoExport
        ) { $0.askExport() }
        actions.add(
            "R", name: "rename", "rename the run; in the queue, change the rater", writes: true,
            wording: words([.queue: .hidden("change the rater")]),
            unless: { $0.view == .queue ? nil : whyNotOwn($0.target.map { [$0] } ?? []) }
        ) { $0.askRename() }
        actions.add(
            "D", name: "delete", "delete the run", writes: true,
            wording: { page in
                guard page.view == .runs else { return nil }
                return ActionWording(
                    hint: page.runs.marked.count > 1 ? "delete marked" : nil,
                    description: "delete the run, or the marked runs")
            }, unless: { whyNotOwn($0.chosen) }
        ) { $0.askDelete() }
    }

    // MARK: Commands

    package static var commands: [String] { ["open", "note"] }

    package mutating func run(command: String, words: [String]) -> Work<Self>? {
        let typed = words.joined(separator: " ")
        guard !typed.isEmpty else { return nil }
        switch command {
        case "open": return openLog(PathCompletion.expanded(typed))
        case "note": return view == .queue ? save(note: typed) : nil
        default: return nil
        }
    }
}

extension ActionWording {
    /// Returns words of an action for which the view exists.
    fileprivate static func first(_ hint: String, _ description: String) -> ActionWording {
        ActionWording(hint: hint, description: description, isFirst: true)
    }

    /// Returns words for help only.
    fileprivate static func hidden(_ description: String) -> ActionWording {
        ActionWording(hint: nil, description: description)
    }
}
