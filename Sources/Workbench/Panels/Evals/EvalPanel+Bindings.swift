package import Console

/// What the eval panel can be made to do.
package enum EvalAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case nextRegression, previousRegression, filter, nextMatch, previousMatch
    case mark, diff, sides, baseline, matrix, queue, failures
    case view, chart, previousChart, formula, sort, toggleWrap
    case run, stop, pause, resume, again, failedAgain, more, fewer
    case grade, pass, undo, comment
    case openLog, elsewhere, copy, export, rename, delete
}

extension EvalPanel {
    package static var bindings: [Binding<EvalAction>] {
        moving + finding + comparing + reading + running + judging + keeping
    }

    private static var moving: [Binding<EvalAction>] {
        let group = Binding<EvalAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "to the left; the sample before", group: group),
            Binding("l", "right", .right, name: "right", description: "to the right; the sample after", group: group),
            Binding(
                "enter", .open, name: "open",
                description: "read the run's samples; of a sample, its trace at the failing step", group: group,
                hint: "open"),
        ] + Binding.panes
    }

    private static var finding: [Binding<EvalAction>] {
        let group = "Finding"
        return [
            Binding(
                "]r", .nextRegression, name: "next-regression",
                description: "to the next sample that broke, or failed", group: group, hint: "next failure"),
            Binding(
                "[r", .previousRegression, name: "previous-regression",
                description: "to the one before", group: group),
            Binding(
                "/", .filter, name: "filter",
                description: "list some samples: failed, error, changed, slice=value, words; in a text, find",
                group: group, hint: "filter"),
            Binding(
                "W", .failures, name: "what-went-wrong", description: "what went wrong, in groups", group: group,
                hint: "what went wrong"),
            Binding("n", .nextMatch, name: "next-match", description: "to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "to the match before", group: group),
        ]
    }

    private static var comparing: [Binding<EvalAction>] {
        let group = "Comparing"
        return [
            Binding(
                "m", "space", .mark, name: "mark", description: "mark a run, or take the mark away", group: group,
                hint: "mark"),
            Binding(
                "d", .diff, name: "diff",
                description: "what changed between two runs: the marked ones, or the one before of the same task",
                group: group, hint: "diff"),
            Binding(
                "t", .sides, name: "side-by-side",
                description: "the steps of both runs side by side, the cursor where they part", group: group),
            Binding(
                "b", .baseline, name: "baseline", description: "hold the samples against another run", group: group),
            Binding("M", .matrix, name: "matrix", description: "prompts by models", group: group),
        ]
    }

    private static var reading: [Binding<EvalAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .view, name: "view",
                description: "overview, slices or settings of a run; in a diff, one quadrant", group: group,
                hint: "view"),
            Binding("c", .chart, name: "chart", description: "the next chart", group: group, hint: "chart"),
            Binding("B", .previousChart, name: "previous-chart", description: "the chart before", group: group),
            Binding(
                "f", .formula, name: "sums", description: "formulas and sums of a chart; in the queue, fail",
                group: group),
            Binding(
                "s", .sort, name: "sort", description: "sort runs by the next column; in the queue, skip",
                group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap long lines, or cut them", group: group),
        ]
    }

    private static var running: [Binding<EvalAction>] {
        let group = "Running"
        return [
            Binding("r", .run, name: "run", description: "run a task", group: group, hint: "run").writing,
            Binding(
                "x", .stop, name: "stop", description: "stop the run after a question; finished samples stay",
                group: group, hint: "stop"
            ).writing,
            Binding(
                "a", .resume, name: "resume", description: "resume a run where it ended", group: group,
                hint: "resume"
            ).writing,
            Binding(
                "A", .again, name: "run-errors",
                description: "ask again what ended in an error, judge again what has no score",
                group: group
            ).writing,
            Binding(
                "F", .failedAgain, name: "run-failed",
                description: "ask the failed samples again, in a run of their own",
                group: group
            ).writing,
            Binding("P", .pause, name: "pause", description: "pause or resume the run", group: group).writing,
            Binding(
                "+", "=", .more, name: "more", description: "more samples in flight", group: group
            ).writing,
            Binding("-", .fewer, name: "fewer", description: "fewer of them", group: group).writing,
        ]
    }

    private static var judging: [Binding<EvalAction>] {
        let group = "Judging"
        return [
            Binding("Q", .queue, name: "queue", description: "judge samples one by one", group: group, hint: "queue"),
            Binding("p", .pass, name: "pass", description: "in the queue: it will do", group: group).writing,
            Binding(
                "S", .grade, name: "grade", description: "in the queue: grade it on a scale from bad to excellent",
                group: group
            ).writing,
            Binding("u", .undo, name: "undo", description: "in the queue: take the last word back", group: group)
                .writing,
            Binding("C", .comment, name: "comment", description: "in the queue: say why", group: group).writing,
        ]
    }

    private static var keeping: [Binding<EvalAction>] {
        let group = "Keeping"
        return [
            Binding(
                "i", .openLog, name: "open-log",
                description: "open a log of another program: Inspect, lm-eval, promptfoo, garak, OpenAI evals",
                group: group, hint: "open a log"),
            Binding(
                "o", .elsewhere, name: "open-elsewhere",
                description: "open the step in another panel: tokens, retrieval, attention", group: group),
            Binding("y", .copy, name: "copy", description: "copy the sample or the figures as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the listed samples to a file (.csv or .jsonl)",
                group: group, hint: "export"),
            Binding(
                "R", .rename, name: "rename", description: "give the run another name; in the queue, who judges",
                group: group
            ).writing,
            Binding("D", .delete, name: "delete", description: "delete the run", group: group).writing,
        ]
    }
}
