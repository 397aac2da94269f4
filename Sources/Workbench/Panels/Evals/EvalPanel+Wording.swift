extension EvalPanel {
    /// What keys do on the page that is shown.
    package func wording(_ action: EvalAction) -> ActionWording? {
        switch page {
        case .runs: wordingOfRuns(action)
        case .samples: wordingOfSamples(action)
        case .failures: wordingOfFailures(action)
        case .diff: wordingOfDiff(action)
        case .sides: wordingOfSides(action)
        case .matrix: wordingOfMatrix(action)
        case .queue: wordingOfQueue(action)
        }
    }

    private func wordingOfRuns(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open: ActionWording(hint: "samples", description: "open the run's samples")
        case .filter where pane != .about:
            ActionWording(hint: "filter", description: "show runs with these words in name, task, model, or state")
        case .filter: ActionWording(hint: "find", description: "find text")
        case .nextRegression, .previousRegression: ActionWording(hint: nil)
        case .view: ActionWording(hint: "view", description: "show the run's overview, slices, or settings")
        case .formula: ActionWording(hint: nil, description: "show or hide formulas and sums")
        case .sort: ActionWording(hint: nil, description: "sort the runs by the next column")
        case .copy: ActionWording(hint: nil, description: "copy the metrics as Markdown")
        case .export:
            ActionWording(
                hint: runs.marked.count > 1 ? "export marked" : nil,
                description: "write the samples of this run or the marked runs to files")
        case .delete:
            ActionWording(
                hint: runs.marked.count > 1 ? "delete marked" : nil, description: "delete the run, or the marked runs")
        default: nil
        }
    }

    private func wordingOfSamples(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "trace", description: "open the sample's trace at the failing step", isFirst: true)
        case .nextRegression:
            ActionWording(
                hint: open?.contrast == nil ? "next failure" : "next worse",
                description: open?.contrast == nil
                    ? "go to the next failed sample" : "go to the next sample that got worse", isFirst: true)
        case .filter where pane == .sample: ActionWording(hint: "find", description: "find text")
        case .filter: ActionWording(hint: "filter", isFirst: true)
        case .baseline:
            ActionWording(
                hint: open?.contrast == nil ? "baseline" : "no baseline",
                description: open?.contrast == nil
                    ? "compare the samples with another run" : "stop comparing the samples with the baseline")
        case .run, .resume: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the sample as Markdown")
        default: nil
        }
    }

    private func wordingOfFailures(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open: ActionWording(hint: "its samples", description: "list the samples of the group", isFirst: true)
        case .filter: ActionWording(hint: "find", description: "find text in the sample")
        case .failures, .run, .resume, .diff, .openLog: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the groups as Markdown")
        default: nil
        }
    }

    private func wordingOfDiff(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open where pane == .pairs:
            ActionWording(
                hint: "side by side", description: "show the steps of both runs side by side, at the first difference",
                isFirst: true)
        case .open: ActionWording(hint: "trace", description: "open the trace of this run", isFirst: true)
        case .nextRegression:
            ActionWording(hint: "next worse", description: "go to the next sample that got worse", isFirst: true)
        case .filter where pane == .pairs:
            ActionWording(hint: "filter", description: "list samples by words in their name or input")
        case .filter: ActionWording(hint: "find", description: "find text")
        case .view: ActionWording(hint: "one kind", description: "show one kind of change: broken, fixed, and so on")
        case .diff, .run, .resume, .failures, .queue, .openLog: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the comparison as a sentence")
        default: nil
        }
    }

    private func wordingOfSides(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "trace", description: "open the highlighted run's step in its trace", isFirst: true)
        case .left: ActionWording(hint: "left run", description: "select the left run", isFirst: true)
        case .right: ActionWording(hint: "right run", description: "select the right run", isFirst: true)
        case .nextMatch:
            ActionWording(hint: "next difference", description: "go to the next step that differs", isFirst: true)
        case .previousMatch: ActionWording(hint: nil, description: "go to the previous step that differs")
        case .nextRegression:
            ActionWording(hint: "next worse", description: "go to the next sample that got worse", isFirst: true)
        case .previousRegression: ActionWording(hint: nil, description: "go to the previous sample that got worse")
        case .filter: ActionWording(hint: "find", description: "find text on both sides")
        case .sides, .diff, .run, .resume, .failures, .queue, .openLog, .view: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the highlighted run's step")
        default: nil
        }
    }

    private func wordingOfMatrix(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "samples", description: "open the samples of the run in the cell", isFirst: true)
        case .left: ActionWording(hint: nil, description: "go to the model on the left")
        case .right: ActionWording(hint: nil, description: "go to the model on the right")
        case .filter: ActionWording(hint: "find", description: "find a cell by words in its prompt or model")
        case .run, .resume, .openLog: ActionWording(hint: nil)
        default: nil
        }
    }

    private func wordingOfQueue(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .grade: ActionWording(hint: "grade", description: "grade the sample from bad to excellent", isFirst: true)
        case .pass: ActionWording(hint: "pass", description: "pass the sample", isFirst: true)
        case .formula: ActionWording(hint: "fail", description: "fail the sample", isFirst: true)
        case .sort: ActionWording(hint: "skip", description: "skip the sample for now", isFirst: true)
        case .undo: ActionWording(hint: "undo", description: "undo the last judgment", isFirst: true)
        case .comment: ActionWording(hint: "comment", description: "add a note to the sample", isFirst: true)
        case .left: ActionWording(hint: nil, description: "go to the previous sample")
        case .right: ActionWording(hint: "next", description: "go to the next sample", isFirst: true)
        case .rename: ActionWording(hint: nil, description: "change the rater")
        case .filter: ActionWording(hint: nil, description: "find text")
        case .open: ActionWording(hint: "trace", description: "open the sample's trace")
        case .diff, .run, .resume, .queue, .failures, .openLog: ActionWording(hint: nil)
        default: nil
        }
    }
}
