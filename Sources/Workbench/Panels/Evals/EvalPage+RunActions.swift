internal import Console
internal import Evals

/// Actions that run, judge, and manage.
extension EvalPage {
    static func addRunning(to actions: inout Actions<Self>) {
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

    static func addJudging(to actions: inout Actions<Self>) {
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

    static func addManaging(to actions: inout Actions<Self>) {
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
}
