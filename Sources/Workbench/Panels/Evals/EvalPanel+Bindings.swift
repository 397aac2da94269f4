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
            Binding(
                "h", "left", .left, name: "left", description: "go left, or to the previous sample", group: group),
            Binding(
                "l", "right", .right, name: "right", description: "go right, or to the next sample", group: group),
            Binding(
                "enter", .open, name: "open",
                description: "open the run's samples, or a sample's trace at the failing step", group: group,
                hint: "open"),
        ] + Binding.panes
    }

    private static var finding: [Binding<EvalAction>] {
        let group = "Finding"
        return [
            Binding(
                "]r", .nextRegression, name: "next-regression",
                description: "go to the next regression or failure", group: group, hint: "next failure"),
            Binding(
                "[r", .previousRegression, name: "previous-regression",
                description: "go to the previous regression or failure", group: group),
            Binding(
                "/", .filter, name: "filter",
                description: "filter samples by failed, error, changed, slice=value, or words; find words in text",
                group: group, hint: "filter"),
            Binding(
                "W", .failures, name: "what-went-wrong", description: "group failures by what went wrong", group: group,
                hint: "what went wrong"),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
        ]
    }

    private static var comparing: [Binding<EvalAction>] {
        let group = "Comparing"
        return [
            Binding(
                "m", "space", .mark, name: "mark", description: "mark or unmark the run", group: group,
                hint: "mark"),
            Binding(
                "d", .diff, name: "diff",
                description: "compare the marked runs, or this run with its task's previous run",
                group: group, hint: "diff"),
            Binding(
                "t", .sides, name: "side-by-side",
                description: "show the steps of both runs side by side, at the first difference", group: group),
            Binding(
                "b", .baseline, name: "baseline", description: "compare the samples with another run", group: group),
            Binding(
                "M", .matrix, name: "matrix", description: "show the runs as a matrix of prompts by models",
                group: group),
        ]
    }

    private static var reading: [Binding<EvalAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .view, name: "view",
                description: "show the overview, slices, or settings of a run; in a diff, one kind of change",
                group: group,
                hint: "view"),
            Binding("c", .chart, name: "chart", description: "show the next chart", group: group, hint: "chart"),
            Binding("B", .previousChart, name: "previous-chart", description: "show the previous chart", group: group),
            Binding(
                "f", .formula, name: "sums",
                description: "show or hide formulas and sums; in the queue, fail the sample", group: group),
            Binding(
                "s", .sort, name: "sort", description: "sort runs by the next column; in the queue, skip the sample",
                group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap or truncate long lines", group: group),
        ]
    }

    private static var running: [Binding<EvalAction>] {
        let group = "Running"
        return [
            Binding("r", .run, name: "run", description: "run a task", group: group, hint: "run").writing,
            Binding(
                "x", .stop, name: "stop", description: "stop the run after confirmation; finished samples are saved",
                group: group, hint: "stop"
            ).writing,
            Binding(
                "a", .resume, name: "resume", description: "resume a run where it stopped", group: group,
                hint: "resume"
            ).writing,
            Binding(
                "A", .again, name: "run-errors",
                description: "retry samples that ended in an error, and judge unscored samples again",
                group: group
            ).writing,
            Binding(
                "F", .failedAgain, name: "run-failed",
                description: "run the failed samples as a new run",
                group: group
            ).writing,
            Binding("P", .pause, name: "pause", description: "pause or resume the run", group: group).writing,
            Binding(
                "+", "=", .more, name: "more", description: "allow more samples in flight", group: group
            ).writing,
            Binding("-", .fewer, name: "fewer", description: "allow fewer samples in flight", group: group).writing,
        ]
    }

    private static var judging: [Binding<EvalAction>] {
        let group = "Judging"
        return [
            Binding("Q", .queue, name: "queue", description: "judge samples one by one", group: group, hint: "queue"),
            Binding("p", .pass, name: "pass", description: "in the queue: pass the sample", group: group).writing,
            Binding(
                "S", .grade, name: "grade", description: "in the queue: grade the sample from bad to excellent",
                group: group
            ).writing,
            Binding("u", .undo, name: "undo", description: "in the queue: undo the last judgment", group: group)
                .writing,
            Binding("C", .comment, name: "comment", description: "in the queue: add a note to the sample", group: group)
                .writing,
        ]
    }

    private static var keeping: [Binding<EvalAction>] {
        let group = "Managing"
        return [
            Binding(
                "i", .openLog, name: "open-log",
                description: "open a log from Inspect, lm-eval, promptfoo, garak, or OpenAI evals",
                group: group, hint: "open a log"),
            Binding(
                "o", .elsewhere, name: "open-elsewhere",
                description: "open the step in another panel: Tokens, Retrieval, or Attention", group: group),
            Binding("y", .copy, name: "copy", description: "copy the sample or the metrics as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the listed samples to a file (.csv or .jsonl)",
                group: group, hint: "export"),
            Binding(
                "R", .rename, name: "rename", description: "rename the run; in the queue, change the rater",
                group: group
            ).writing,
            Binding("D", .delete, name: "delete", description: "delete the run", group: group).writing,
        ]
    }
}
