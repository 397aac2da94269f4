internal import Console
internal import Evals
internal import Tables

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
    static func words(_ words: [View: ActionWording]) -> (Self) -> ActionWording? { { words[$0.view] } }

    /// Returns the wording of an action that the footer omits in some views.
    static func hidden(in views: Set<View>) -> (Self) -> ActionWording? {
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
        let columns = runs.columns(width: screen.area(of: .runs)?.columns ?? 1_000, theme: .dark)
        runs.nextOrder(among: columns.placed.map(\.title))
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
    static func first(_ hint: String, _ description: String) -> ActionWording {
        ActionWording(hint: hint, description: description, isFirst: true)
    }

    /// Returns words for help only.
    static func hidden(_ description: String) -> ActionWording {
        ActionWording(hint: nil, description: description)
    }
}
